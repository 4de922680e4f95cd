// In place of helpers/clause.ts where proofs run in one process: clauses are noted once, and declared for each run anew.
import { randomFor } from '../../engine/random.ts'
import { clausesOf as clausesNow } from '../../helpers/clause.ts'

type Clause = ReturnType<typeof clausesNow>
type Law = Parameters<Clause>[1]
type Body = Parameters<ReturnType<Clause>>[0]

const noted: (() => void)[] = []

/** Notes clauses until they are run. */
export const clausesOf = (said: Parameters<typeof clausesNow>[0]) => (id: string, law: Law) => {
  return (body: Body) => void noted.push(() => clausesNow(said)(id, law)(body))
}

/** Declares every clause that was noted, in order, or in another one that ORDER draws. */
export const declareClauses = (): void => {
  const { ORDER } = process.env
  const ordered = ORDER ? randomFor(Number(ORDER), 'order').helpers.shuffle(noted) : noted
  for (const declare of ordered) declare()
}
