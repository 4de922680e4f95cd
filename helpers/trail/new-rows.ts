import { placeOfFile } from '../../engine/files/content.ts'
import { columnsOf, minus, multisetOf, sizeOf } from '../../engine/files/multiset.ts'
import { describeAnswer } from '../../engine/http/answers.ts'
import type { Downloaded } from '../../engine/http/client.ts'
import { statuses } from '../contract/statuses.ts'
import { type Exports, needCsv } from '../export/ask/exports.ts'
import { eachLater, type Query } from '../export/ask/query.ts'

export type NewRows = {
  /** of rows that were not there at first; other lines may be among them */
  count: number
  all: readonly string[][]
  /** left out: no request was sent */
  answer?: Downloaded
  /** whether the second form was used, because the first was refused or ignored */
  otherwise?: boolean
  refused?: string
  /** the file is at an address that cannot be fetched */
  elsewhere?: string
}

export async function newRowsOf(
  exports: Exports,
  query: Query,
  otherwise?: Exports,
): Promise<(isIgnored?: boolean) => Promise<NewRows>> {
  const later = eachLater(query)
  const ask = async (isIgnored = false) => {
    const from = later()
    const first = await exports.fresh.csv(from)
    const isOther = otherwise !== undefined && (isIgnored || isInvalid(first.answer))
    const found = isOther ? await otherwise.fresh.csv(from) : first
    // A value that no event has yet may be refused.
    const { answer, told } = found
    if (isInvalid(answer)) return { rows: [], answer, refused: describeAnswer(answer) }
    const { records, beginning } = needCsv(found)
    const place = told === undefined ? placeOfFile(answer, beginning) : undefined
    const elsewhere = place && `${describeAnswer(answer)} with nothing but ${place.told}`
    return { rows: records, answer, otherwise: isOther, elsewhere }
  }
  const before = (await ask()).rows
  return async (isIgnored) => {
    const { rows, ...found } = await ask(isIgnored)
    const columns = columnsOf([...before, ...rows])
    const added = minus(multisetOf(rows, columns), multisetOf(before, columns))
    return { count: sizeOf(added), all: rows, ...found }
  }
}

const isInvalid = ({ status }: Downloaded): boolean =>
  status >= 400 && status < 500 && status !== statuses.badKey && status !== 403
