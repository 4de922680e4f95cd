import { clauses } from '../../helpers/clause.ts'
import { type Call, impurityOf, lossOf, watch } from '../engine/clause/pure.ts'
import { runAgainst, unfoundedIn } from './prove.ts'
import type { Trial } from './trials.ts'

const bent = { events: 300, pdfLimit: 100 }

/**
 * The reference service passes all clauses. Their laws are pure, and say the same of a copy of their case; every clause
 * that is decided asked its law and names what it judged.
 */
export const pureRun: Trial = {
  kind: 'variant',
  name: 'the reference service as it is, by laws that are watched',
  by: [],
  bent,
  problems: async () => {
    await import('../../suites/all.ts')
    const all = [...clauses.values()]
    const calls: Call[] = []
    const ends = all.map((clause) => watch(clause, calls))
    const checked = await runAgainst(bent, [], { makers: {} })
    for (const endWatching of ends) endWatching()
    // What came of exports is not plain data yet.
    const ofData = calls.filter(
      ({ name }) => /\((law|look)\)$/.test(name) && !/^export\./.test(name),
    )
    const asked = new Set(calls.map(({ name }) => name.replace(/ .*/, '')))
    const decided = (checked.report?.clauses ?? []).filter(({ verdict }) =>
      /^(pass|observed)$/.test(verdict),
    )
    const unasked = decided.filter(({ id }) => !asked.has(id))
    return [
      ...(checked.exitCode === 0 ? [] : [`the run ends with ${checked.exitCode}, not 0`]),
      ...(calls.length > 100 ? [] : [`only ${calls.length} calls of laws were watched`]),
      ...new Set(ofData.flatMap(lossOf)),
      ...new Set(calls.flatMap(impurityOf)),
      ...unfoundedIn(checked),
      ...unasked.map(({ id }) => `${id} is decided, and its law was not asked`),
    ]
  },
}
