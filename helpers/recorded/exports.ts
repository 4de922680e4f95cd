// What each recorded export shows by itself.

import { isAccepted } from '../../engine/http/answers.ts'
import { isDescribed, statusOwner } from '../export/ask/breaches.ts'
import { type AskingOf, askRecorded } from './asked.ts'
import { unlessUndecided } from './findings.ts'
import { type Look, mistakesIn, queryIn, replayed, textOf } from './looks.ts'
import { isPlainRefusal, type Seen } from './recorded.ts'

/** Clauses of the port of exports, which each file decides. */
export const clausesOfFiles = ['csv.status', 'csv.readable', 'pdf.status', 'pdf.readable'].map(
  (name) => `export.${name}`,
)

/** Judges recorded exports whose key is not known to be invalid. */
export function createExportLaws(asking: AskingOf) {
  const { findings, bodyOf } = asking
  const looks: Look[] = []

  const seeCsv = async (look: Look) => {
    const { number, asked } = look
    const port = replayed([look], bodyOf, (owned) => findings.broken([owned]))
    const { csv, told } = await port.csv(asked)
    // The file is at another address, which no recording of this service contains.
    if (!csv || told) return
    look.count = csv.count
    if (isDescribed(asked, false)) findings.decided(['export.csv.readable'], number)
  }

  const seePdf = async (look: Look) => {
    const port = replayed([look], bodyOf, (owned) => findings.broken([owned]))
    const found = await port.pdf(look.asked)
    if (!found.bytes || found.told) return
    await found.read({ text: false })
    if (isDescribed(look.asked, false)) findings.decided(['export.pdf.readable'], look.number)
  }

  return {
    async see(seen: Seen) {
      const { operation, key, answer, query: text, number, body } = seen
      if (operation !== 'export' || key !== 'given') return
      const asked = queryIn(text)
      const { body: _, ...kept } = seen
      const look: Look = { ...kept, asked, text: textOf(asked), bytes: body?.length ?? 0 }
      if (mistakesIn(asked).length > 0) return
      if (isPlainRefusal(seen)) looks.push(look)
      if (!isAccepted(answer)) return
      if (isDescribed(asked, false)) findings.decided([statusOwner(asked)], number)
      if (!body) return
      await (asked.fileType === 'pdf' ? seePdf : seeCsv)(look).catch(unlessUndecided)
      looks.push(look)
    },
    end: () => askRecorded(looks, asking),
  }
}
