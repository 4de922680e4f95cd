import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from '../figures.ts'
import { interleaved } from '../interleaved.ts'
import type { Part } from '../part.ts'
import { timedNode, tsx } from '../processes.ts'
import { scratch } from '../scratch.ts'

const names = [
  'nothing',
  'the stream alone',
  'papaparse by row',
  'papaparse by piece',
  'read and checked',
] as const
type Name = (typeof names)[number]

const most = { time: 2.5, bytesPerRow: 100 }

export const csv: Part = {
  title: 'a large CSV, read and checked, beside papaparse alone',
  async measure({ rounds, small }) {
    const rows = small ? 50_000 : 1_000_000
    const file = join(scratch, 'large.csv')
    writeCsv(file, rows)
    const read = (name: Name) => () => timedNode(tsx('bench/processes/csv.ts', file, name))
    const ways = Object.fromEntries(names.map((name) => [name, read(name)]))
    const found = await interleaved(ways as Record<Name, ReturnType<typeof read>>, rounds)
    const beside = (name: Name, base: Name) =>
      found.seconds(
        [name, base, 'nothing'],
        (one = 0, other = 0, nothing = 0) => (one - nothing) / (other - nothing),
      )
    const checked = 'read and checked'
    return {
      rows: [
        ...names.map((name): Row => {
          const time: Row = { what: name, unit: 's', values: found.seconds([name]) }
          if (name === checked)
            return { ...time, ratio: beside(name, 'papaparse by row'), most: most.time }
          return time
        }),
        {
          what: `${checked}, beside papaparse by piece`,
          unit: '',
          values: beside(checked, 'papaparse by piece'),
        },
        ...(['papaparse by row', checked] as const).map(
          (name): Row => ({
            what: `${name}: memory for each row`,
            unit: 'bytes',
            values: found.told(name, ({ above = Number.NaN }) => above / rows),
            ...(name === checked && { most: most.bytesPerRow }),
          }),
        ),
      ],
      notes: [
        `${rows} rows of about 250 bytes in a file. Ratio: (reading − nothing) / (papaparse by row − nothing), whole processes. Memory: the peak of the process less what it had before it read.`,
      ],
    }
  },
}

/** Some cells have quotes and line breaks, and letters of two and three bytes. */
const comments = [
  '',
  'Please review',
  '"He said ""no"", twice"',
  'Überprüfung 確認',
  '"two\nlines"',
]
const lineOf = (n: number) =>
  `00000000-0000-4000-8000-${String(n).padStart(12, '0')},2025-06-01T${String(n % 24).padStart(2, '0')}:00:00.000Z,11111111-1111-4111-8111-${String(n % 97).padStart(12, '0')},task,updated,task_platform,task updated by a colleague with a name of some length and a description that goes on,${comments[n % 5]},vip\r\n`

function writeCsv(file: string, rows: number) {
  const at = openSync(file, 'w')
  writeSync(at, 'id,time,auditee_id,event_type,sub_type,system_source,description,comment,tag\r\n')
  const atOnce = 1000
  for (let n = 0; n < rows; n += atOnce) {
    const count = Math.min(atOnce, rows - n)
    writeSync(at, Array.from({ length: count }, (_, more) => lineOf(n + more)).join(''))
  }
  closeSync(at)
}
