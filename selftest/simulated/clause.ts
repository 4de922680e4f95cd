// Replaces helpers/clause.ts if proofs run in one process: clauses are noted once, and declared
// anew for each run.
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

/** Declares every noted clause in order, or in an order drawn by ORDER. */
export const declareClauses = (): void => {
  const { ORDER } = process.env
  const ordered = ORDER ? randomFor(Number(ORDER), 'order').helpers.shuffle(noted) : noted
  for (const declare of ordered) declare()
}
