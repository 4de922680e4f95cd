import { dirname } from 'node:path'
import { digestOf } from '../kept.ts'
import type { Worked } from './child.ts'
import { importsTo } from './imports.ts'
import type { Mutant } from './mutants.ts'
import { isTestFile } from './order.ts'
import { mayReach, type Recorded } from './record.ts'

/**
 * What became of a mutant. Killed: a test or a proof is red that is green without it. Late: with it one
 * no longer ends. Survived: all that were tried are green. Unreached: nothing comes by its line.
 */
export const states = ['killed', 'late', 'survived', 'unreached'] as const
export type State = (typeof states)[number]

export type Outcome = {
  name: string
  state: State
  /** the step that is red, or no longer ends */
  by?: string
  /** what it said; the page does not */
  why?: string
  tried: number
  of: number
  /** of the module's text, and of the steps that it was to meet */
  digest: string
  met: string
  seconds: number
}

const mostTests = 6
const farthest = 9
/** A file of tests that takes longer comes after the proofs, of which each takes a second or two. */
const mostSecondsBefore = 10

/** How far a file of tests is from a module: `selftest/engine/files` is that of `engine/files`. */
function distanceOf(step: string, file: string): number {
  const own = dirname(step).split('/').slice(1)
  const of = dirname(file).split('/')
  const shared = of.findIndex((part, at) => own[at] !== part)
  return (shared < 0 ? 0 : of.length - shared) + Math.max(0, own.length - of.length)
}

/** The tests of a room are in one folder, also where the room has folders of its own. */
const isNear = (step: string, file: string) => {
  const room = dirname(file).split('/').slice(0, 2).join('/')
  return step.startsWith(`selftest/${room}/`)
}

/** The tests and proofs that come by a mutant, nearest first: tests of its folder, then proofs, then others. */
export function stepsFor(
  mutant: Mutant,
  digest: string,
  recorded: readonly Recorded[],
  mostProofs: number,
): { steps: Recorded[]; of: number } {
  const all = recorded.filter((each) => mayReach(each, mutant, digest))
  const { file } = mutant
  const tests = all
    .filter(({ step }) => isTestFile(step))
    .toSorted(
      (one, two) =>
        distanceOf(one.step, file) - distanceOf(two.step, file) || one.seconds - two.seconds,
    )
  const near = tests.filter(
    ({ step, seconds }) => isNear(step, file) && seconds <= mostSecondsBefore,
  )
  const proofs = inTurns(
    all.filter(({ step }) => !isTestFile(step)),
    file,
  )
  const others = tests.filter((each) => !near.includes(each))
  const steps = [
    ...near.slice(0, mostTests),
    ...proofs.slice(0, mostProofs),
    ...others.slice(0, Math.max(2, mostTests - near.length)),
  ]
  return { steps, of: all.length }
}

/** Proofs that are decided by what uses the module most directly; of those alike, one after another. */
function inTurns(proofs: readonly Recorded[], file: string): Recorded[] {
  const distances = importsTo(file)
  const farness = ({ deciding }: Recorded) =>
    Math.min(farthest, ...deciding.map((each) => distances.get(each) ?? farthest))
  const turns = new Map<string, number>()
  const turned = proofs
    .toSorted((one, two) => farness(one) - farness(two) || one.seconds - two.seconds)
    .map((each) => {
      const key = each.deciding.toSorted().join()
      const turn = turns.get(key) ?? 0
      turns.set(key, turn + 1)
      return { each, turn: turn + farness(each) * 2 }
    })
  return turned.toSorted((one, two) => one.turn - two.turn).map(({ each }) => each)
}

/** What the steps of a mutant depend on: with other ones it is tried again. */
export const metOf = (steps: readonly Recorded[], mostMs: number): string =>
  digestOf([mostMs, ...steps.map(({ step, digest }) => step + digest)].join('\n'))

/** What a process says of a mutant that was awake in it. */
export function judge({ ended, late }: Worked): Pick<Outcome, 'state' | 'by' | 'why' | 'tried'> {
  const tried = ended.length
  const red = ended.find((each) => each.red !== undefined)
  // What is red without having come by the mutant is red for another reason.
  const isReached = ended.some(({ reached }) => reached.length > 0)
  if (red && isReached) return { state: 'killed', by: red.step, why: red.red, tried }
  if (late) return { state: 'late', by: late, tried: tried + 1 }
  return { state: isReached ? 'survived' : 'unreached', tried }
}

export const isKilled = ({ state }: Pick<Outcome, 'state'>): boolean =>
  state === 'killed' || state === 'late'
