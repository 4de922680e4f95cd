// Code that own-words.test.ts looks at: nobody calls it.

import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { cut, firstLine } from '../../reporting/parts/texts.ts'

const begins = ({ reason = '' }: ClauseReport): boolean => reason.startsWith('set ')

const hasNumber = (text: string): boolean => /\d/.test(text)

const textOf = ({ reasons }: Report): string => reasons.join()

export const readers = [
  begins,
  ({ clauses }: Report) => clauses.filter((clause) => hasNumber(`${clause.id} ${clause.note}`)),
  (report: Report) => textOf(report).split(': '),
  ({ notices: [first = ''] }: Report) => first === 'x',
  (report: Report) => report.residue.map(({ reason }) => reason).includes('x'),
]

export const others = [
  ({ id }: ClauseReport) => id.startsWith('export.'),
  ({ reason = '' }: ClauseReport) => cut(firstLine(reason), 80),
  ({ notices }: Report) => notices.length === 0 || notices[0] === '',
]
