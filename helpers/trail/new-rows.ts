import { placeOfFile } from '../../engine/files/content.ts'
import { columnsOf, type Multiset, minus, multisetOf, sizeOf } from '../../engine/files/multiset.ts'
import { describeAnswer } from '../../engine/http/answers.ts'
import type { Downloaded } from '../../engine/http/client.ts'
import { type Exports, needCsv } from '../export/ask/exports.ts'
import { eachLater, type Query } from '../export/ask/query.ts'

export type NewRows = {
  /** rows that were not there at first; other lines may be among them */
  rows: Multiset
  count: number
  all: readonly string[][]
  /** left out: no request was sent */
  answer?: Downloaded
  /** whether the second form was used, because the first was refused */
  otherwise?: boolean
  refused?: string
  /** the file is at an address that cannot be fetched */
  elsewhere?: string
}

export async function newRowsOf(
  exports: Exports,
  query: Query,
  otherwise?: Exports,
): Promise<() => Promise<NewRows>> {
  const later = eachLater(query)
  const ask = async () => {
    const from = later()
    const first = await exports.fresh.csv(from)
    const isOther = otherwise !== undefined && isInvalid(first.answer)
    const found = isOther ? await otherwise.fresh.csv(from) : first
    // A value that no event has yet may be refused.
    if (isInvalid(found.answer))
      return { rows: [], answer: found.answer, refused: describeAnswer(found.answer) }
    const { records, beginning } = needCsv(found)
    const place = found.told === undefined ? placeOfFile(found.answer, beginning) : undefined
    return {
      rows: records,
      answer: found.answer,
      otherwise: isOther,
      elsewhere: place && `${describeAnswer(found.answer)} with nothing but ${place.told}`,
    }
  }
  const before = (await ask()).rows
  return async () => {
    const { rows, ...found } = await ask()
    const columns = columnsOf([...before, ...rows])
    const isNew = minus(multisetOf(rows, columns), multisetOf(before, columns))
    return { rows: isNew, count: sizeOf(isNew), all: rows, ...found }
  }
}

const isInvalid = ({ status }: Downloaded): boolean =>
  status >= 400 && status < 500 && status !== 401 && status !== 403
