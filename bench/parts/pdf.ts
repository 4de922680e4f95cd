import type { Row } from '../figures.ts'
import { interleaved } from '../interleaved.ts'
import type { Part } from '../part.ts'
import { timedNode, tsx } from '../processes.ts'
import { scratch } from '../scratch.ts'

const names = [
  'nothing',
  'pdf-parse alone',
  'the number of pages',
  'text and events told apart',
] as const
type Name = (typeof names)[number]

export const pdf: Part = {
  title: 'a PDF read and its events told apart, beside pdf-parse alone with its text',
  async measure({ rounds, small }) {
    const events = small ? 500 : 5_000
    await timedNode(tsx('bench/processes/exports.ts', scratch, events))
    const read = (name: Name) => () => timedNode(tsx('bench/processes/pdf.ts', scratch, name))
    const ways = Object.fromEntries(names.map((name) => [name, read(name)]))
    const found = await interleaved(ways as Record<Name, ReturnType<typeof read>>, rounds)
    const counted = found.told('text and events told apart', ({ result = 0 }) => result)
    return {
      rows: names.map((name): Row => {
        const time: Row = { what: name, unit: 's', values: found.seconds([name]) }
        if (name !== 'text and events told apart') return time
        const ratio = found.seconds(
          [name, 'pdf-parse alone', 'nothing'],
          (own = 0, bare = 0, nothing = 0) => (own - nothing) / (bare - nothing),
        )
        return { ...time, ratio, most: 1.15 }
      }),
      notes: [
        `${events} events, of which ${Array.isArray(counted) ? counted[0] : 'none'} were found in the PDF. Ratio: (text and events − nothing) / (pdf-parse alone − nothing), whole processes; nothing is a process that has loaded the readers and read the CSV.`,
      ],
    }
  },
}
