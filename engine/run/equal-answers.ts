import type { RowsFinding } from '../findings/file-rows.ts'
import { isAccepted } from '../http/answers.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Problem } from '../problem.ts'
import type { Contract } from './contract.ts'
import type { Judged } from './run-clauses.ts'

// A file with rows that do not belong there may be the answer to an earlier query: a cache gives such a file, whose key
// lacks a part of the query.

type Known = { all: ReadonlyMap<number, Exchange>; contract: Pick<Contract, 'placeAt'> }

/** Adds to each breach of rows, if nothing else explains it, the earlier answer with the same bytes. */
export function withEqualAnswers(judged: readonly Judged[], known: Known): Judged[] {
  return judged.map((each) => {
    const { outcome } = each
    if (outcome.kind !== 'broken') return each
    const breaches = outcome.breaches.map((breach) => withEqualAnswer(breach, known))
    return { ...each, outcome: { ...outcome, breaches } }
  })
}

function withEqualAnswer(breach: Problem, known: Known): Problem {
  const { finding } = breach
  if (finding.kind !== 'rows' || finding.why || !hasExtraRows(finding)) return breach
  const files = breach.judged.flatMap((number) => known.all.get(number) ?? []).filter(isFile)
  const [file] = files
  const other = file && files.length === 1 ? equalAnswerTo(file, known) : undefined
  const place = other && known.contract.placeAt(other.path)
  if (!other || !place) return breach
  const why = { is: 'given before', exchange: other.number, place } as const
  return { ...breach, finding: { ...finding, why } }
}

/** A file that lacks rows may be equal to another one by chance. */
function hasExtraRows({ wrong, got, wanted }: RowsFinding): boolean {
  if (wrong === 'number') return wanted.most !== undefined && got > wanted.most
  return wrong === 'strange' || wrong === 'unfiltered' || wrong === 'others'
}

const isFile = ({ method, status = 0, bodyBytes = 0 }: Exchange): boolean =>
  method === 'GET' && isAccepted({ status }) && bodyBytes > 0

const bytesOf = ({ body, bodySha256 }: Exchange): string | undefined => bodySha256 ?? body

/** The last one before it to another query; that without filters, if it has these bytes too. */
function equalAnswerTo(file: Exchange, { all, contract }: Known): Exchange | undefined {
  const question = questionOf(file, contract)
  const isEqual = (other: Exchange) =>
    other.number < file.number && isFile(other) && bytesOf(other) === bytesOf(file)
  const isAnother = (other: Exchange) => {
    const asked = questionOf(other, contract)
    return asked !== undefined && asked !== question
  }
  const others = [...all.values()].filter((other) => isEqual(other) && isAnother(other))
  const isPlain = ({ path }: Exchange) => contract.placeAt(path)?.filters === undefined
  return question === undefined ? undefined : (others.findLast(isPlain) ?? others.at(-1))
}

/** What a file has to hold, but for its range: files of two ranges may be equal. */
function questionOf({ path }: Exchange, { placeAt }: Known['contract']): string | undefined {
  const place = placeAt(path)
  return place && JSON.stringify([place.in, place.filters ?? {}, place.others ?? {}])
}
