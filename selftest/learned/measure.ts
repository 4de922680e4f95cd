import type { Report } from '../../engine/run/report.ts'
import { lessonOf } from '../../program/input/lesson.ts'
import { learn } from '../../reference/learn/learn.ts'
import { makeWorld, type World } from '../../reference/world/world.ts'
import { differenceTold } from '../../reporting/comparison/words.ts'
import type { Bent } from '../proofs/fault.ts'
import { compared, reportOn, surroundingsOf } from './learn-and-compare.ts'

/** How far a service is from the plain reference service, and from the mock that was learned of it. */
export type Measured = {
  name: string
  before: number
  after: number
  /** clauses that are known of the service and of the mock, and of the service alone */
  compared: number
  decided: number
  /** what the mock does otherwise */
  stays: string[]
  /** the clauses that fail the service itself */
  fails?: string[]
}

const names = ['service', 'mock'] as const

type How = {
  /** how the suite is run on the reference service with these rules and the data of the service */
  run?: (bent: Bent) => Promise<Report>
  /** who the people of that service are */
  world?: World
}

/** Measures bent services, and others by their report; those with the same data need one plain run. */
export function createMeasure(argv?: string[], { run, world }: How = {}) {
  const runOn = run ?? ((bent: Bent) => reportOn(bent, argv))
  const plain = new Map<string, Promise<Report>>()
  const plainFor = (bent: Bent) => {
    const around = surroundingsOf(bent)
    const key = JSON.stringify(around)
    const report = plain.get(key) ?? runOn(around)
    plain.set(key, report)
    return report
  }
  async function measured(name: string, bent: Bent, original: Report): Promise<Measured> {
    const before = compared(original, await plainFor(bent)).figures.all
    const fails = original.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
    const none = { name, before: before.diverging, after: 0, stays: [], fails }
    const decided = original.clauses.filter(({ verdict }) => !isOpen(verdict)).length
    if (before.diverging === 0) return { ...none, compared: before.compared, decided }
    const { open, stated } = learn(lessonOf(original, name), world ?? makeWorld(1))
    const mock = await runOn({ ...surroundingsOf(bent), open, stated })
    const { figures, differences } = compared(original, mock)
    return {
      ...none,
      after: figures.all.diverging,
      compared: figures.all.compared,
      decided,
      stays: differences
        .filter(({ outcome }) => outcome === 'diverge')
        .map((each) => `${each.facts.id}: ${differenceTold(each, names).join('; ')}`),
    }
  }

  return {
    bent: async ({ name, ...bent }: Bent & { name: string }) =>
      measured(name, bent, await reportOn(bent, argv)),
    reported: (name: string, report: Report) => measured(name, {}, report),
  }
}

const isOpen = (verdict: string) => verdict === 'skip' || verdict === 'inconclusive'

/** Sums over several. */
export const totalOf = (all: readonly Measured[]) => {
  const sum = (of: (each: Measured) => number) => all.reduce((total, each) => total + of(each), 0)
  return {
    before: sum(({ before }) => before),
    after: sum(({ after }) => after),
    compared: sum(({ compared }) => compared),
    decided: sum(({ decided }) => decided),
  }
}
