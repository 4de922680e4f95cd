import { join } from 'node:path'
import { interleaved } from '../interleaved.ts'
import type { Part } from '../part.ts'
import { root, timedNode, tsx } from '../processes.ts'
import { scratch } from '../scratch.ts'

const bare = (...folder: string[]) =>
  timedNode([join(root, 'bench/processes/pdf-parse.mjs'), ...folder])
const own = (way: string) => timedNode(tsx('bench/processes/pdf.ts', scratch, way))

const ways = {
  'pdf-parse loaded': () => bare(),
  'pdf-parse alone': () => bare(scratch),
  'the suite’s readers loaded, the CSV read': () => own('nothing'),
  'the number of pages': () => own('the number of pages'),
  'text and events told apart': () => own('text and events told apart'),
}

export const pdf: Part = {
  title: 'a PDF read and its events told apart, beside pdf-parse alone with its text',
  async measure({ rounds, small }) {
    const events = small ? 500 : 5_000
    await timedNode(tsx('bench/processes/exports.ts', scratch, events))
    const found = await interleaved(ways, rounds)
    const counted = found.told('text and events told apart', ({ result = 0 }) => result)
    // The suite's thread loads pdf-parse as well, so that its loading is left in both.
    const ratio = found.seconds(
      ['text and events told apart', 'the suite’s readers loaded, the CSV read', 'pdf-parse alone'],
      (told = 0, loaded = 0, alone = 0) => (told - loaded) / alone,
    )
    const names = Object.keys(ways) as (keyof typeof ways)[]
    return {
      rows: names.map((name) => ({
        what: name,
        unit: 's',
        values: found.seconds([name]),
        ...(name === 'text and events told apart' && { ratio, most: 1.15 }),
      })),
      notes: [
        `${events} events; ${Array.isArray(counted) ? counted[0] : 'none'} of them were found in the PDF. Ratio: (text and events told apart − the suite’s readers loaded, the CSV read) / (pdf-parse alone), whole processes.`,
      ],
    }
  },
}
