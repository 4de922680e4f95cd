// Recorded exports: what each shows by itself, and what clauses ask of those between two equal looks.

import { type clauses, givensOf } from '../../engine/clause/clause.ts'
import { type Cases, caseOrWhy } from '../../engine/clause/law.ts'
import { hourMs } from '../../engine/files/dates.ts'
import { grouped } from '../../engine/grouped.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { randomFor } from '../../engine/random.ts'
import { isDescribed, statusOwner } from '../export/ask/breaches.ts'
import { queryIn } from '../export/ask/query.ts'
import { mistakesIn } from '../export/laws/invalid-queries.ts'
import { PDF_LIMIT } from '../export/laws/pdf-entries.ts'
import {
  isCsv,
  isPlain,
  type Looked,
  learnedFrom,
  replayed,
  textOf,
} from '../export/laws/recorded-files.ts'
import type { History } from '../history/history.ts'
import { isPlainRefusal, notShown, type Reader, type Seen } from '../service/seen.ts'
import type { Settings } from '../settings/table.ts'
import { decide, type Findings } from './findings.ts'
import { combinedIn, type Epoch, offeredIn } from './offered.ts'

/** More is not compared at once: each file is kept while it is. */
const mostLooks = 1000
const mostBytes = 96_000_000
const mostEpochs = 5

export type Asking = {
  clauses: typeof clauses
  settings: Settings
  readAt: Reader
  pdfLimit?: number | undefined
  ended?: History['ended']
}

/** Judges recorded exports whose key is not known to be invalid. */
export async function judgeExports(all: readonly Seen[], findings: Findings, asking: Asking) {
  const looks: Looked[] = []
  for (const one of all) {
    const asked = queryIn(one.query)
    if (one.operation !== 'export' || one.key !== 'given' || mistakesIn(asked).length > 0) continue
    const file = isAccepted(one.answer) ? asking.readAt(one.number)?.body : undefined
    const look: Looked = { ...one, asked, text: textOf(asked), bytes: file?.length ?? 0 }
    if (file) await caseOrWhy(readFile(look, findings, asking))
    if (file || isPlainRefusal(one)) looks.push(look)
  }
  // Keys that recorders redact do not tell clients apart.
  const known = looks.filter(({ who }) => who !== undefined)
  for (const [, own] of grouped(known, ({ recorder, who }) => `${recorder} ${who}`))
    for (const epoch of epochsIn(own)) await caseOrWhy(askEpoch(own, epoch, findings, asking))
}

/** What a file shows by itself. A file at another address is in no recording of this service. */
async function readFile(look: Looked, findings: Findings, { readAt }: Asking) {
  const { asked, number } = look
  const port = replayed([look], readAt, (owned) => findings.broken([owned]))
  const type = asked.fileType === 'pdf' ? 'pdf' : 'csv'
  if (type === 'pdf') {
    const { bytes, told, read } = await port.pdf(asked)
    if (!bytes || told) return
    await read({ text: false })
  } else {
    const { csv, told } = await port.csv(asked)
    if (!csv || told) return
    look.count = csv.count
  }
  if (!isDescribed(asked, false)) return
  findings.decided([statusOwner(asked), `export.${type}.readable`], number)
}

/** As for the window of a run: events of the last hour may not have reached every replica. */
const isWhole = (look: Looked) =>
  isCsv(look) &&
  isPlain(look) &&
  look.asked.start !== undefined &&
  Date.parse(look.asked.end ?? '') <= look.start - hourMs &&
  (look.count ?? 0) >= 3

/** Those in which most was asked for. */
function epochsIn(looks: readonly Looked[]): Epoch[] {
  const alike = grouped(looks.filter(isWhole), ({ count, text }) => `${count} ${text}`)
  const epochs = [...alike.values()].flatMap(([first, ...others]): Epoch[] => {
    const last = others.at(-1)
    if (!first || !last || last.start < first.end) return []
    const { start = '', end = '' } = first.asked
    const isWithin = (look: Looked) => look.start >= first.start && look.end <= last.end
    return [{ span: { start, end }, within: looks.filter(isWithin) }]
  })
  return epochs.sort((a, b) => b.within.length - a.within.length).slice(0, mostEpochs)
}

/** An object with these members; a clause that reads another member is undecided. */
const absentBut = (known: Record<string | symbol, unknown>): object =>
  new Proxy(known, {
    get(_, name) {
      // An `await` asks for this.
      if (name in known || name === 'then') return known[name]
      throw new NotDecidable('data', notShown)
    },
  })
const absent = absentBut({})

async function askEpoch(own: readonly Looked[], epoch: Epoch, findings: Findings, asking: Asking) {
  const { clauses, settings, readAt, pdfLimit = PDF_LIMIT, ended } = asking
  let bytes = 0
  const looks = [...new Set([...epoch.within, ...own])].slice(0, mostLooks).filter((look) => {
    bytes += look.bytes
    return bytes < mostBytes
  })
  const searched = { settings, stop: new AbortController().signal, pdfLimit }
  const known = { ...epoch, offered: offeredIn(epoch, looks) }
  const givens = Object.assign(await learnedFrom(looks, known, readAt, searched), {
    session: absentBut({ ...searched, history: absentBut({ ended }) }),
    updatesOver: async () => {},
  })
  const { recorded } = givens.exports.facts
  if (recorded) await givens.exports.once('combined requests', () => combinedIn(epoch, givens))
  // Only files between two equal looks at their range can show a breach.
  const sure = new Set(epoch.within.map(({ number }) => number))
  for (const [id, { judging, body }] of clauses) {
    // What an observing clause sees in one epoch is enough.
    const isSeen = 'look' in judging && findings.all.has(id)
    if (judging.seen !== 'files' || !body || isSeen) continue
    const ask = async () => {
      const given: Record<string, unknown> = { random: randomFor(settings.seed, id) }
      for (const name of givensOf(body))
        given[name] ??= (await givens[name as keyof typeof givens]) ?? absent
      return (body as (given: object) => Cases<object>)(given)
    }
    await caseOrWhy(decide(findings, id, judging, ask, (number) => sure.has(number)))
  }
}
