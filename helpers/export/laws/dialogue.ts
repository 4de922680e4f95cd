// A judgement whose questions follow from what came before: held with the service, and by its law with what came.

import { from, type Origin } from '../../../engine/origin.ts'
import { NotDecidable, type Why } from '../../../engine/outcome.ts'
import type { Problem } from '../../../engine/problem.ts'
import type { Exports } from '../ask/exports.ts'
import { askOnce, type Fetch, gathered } from '../learn/confirmed.ts'
import { unlessUndecided } from '../learn/ranges.ts'
import type { Window } from '../learn/window.ts'

type At = { fetch: Fetch; port: Exports }

/** Yields questions, and is given what came to each. */
export type Dialogue<Found> = Generator<(at: At) => Promise<unknown>, Found, unknown>

export function* ask<Came>(question: (at: At) => Promise<Came>): Dialogue<Came> {
  return (yield question) as Came
}

/** Undefined if it is undecided. */
export function* ifDecided<Found>(dialogue: Dialogue<Found>): Dialogue<Found | undefined> {
  try {
    return yield* dialogue
  } catch (error) {
    return unlessUndecided(error)
  }
}

/** What came in a dialogue, which can be held again with it alone. */
export type Held<Found = readonly Problem[]> = { hold(): Dialogue<Found>; came: unknown[] }

async function heldWith<Found>(hold: () => Dialogue<Found>, at: At): Promise<Held<Found>> {
  const came: unknown[] = []
  const dialogue = hold()
  try {
    for (let next = dialogue.next(); !next.done; ) {
      const [answer] = await Promise.allSettled([next.value(at)])
      const isTold = answer.status === 'fulfilled'
      if (!isTold && !(answer.reason instanceof NotDecidable)) throw answer.reason
      came.push(isTold ? answer.value : answer.reason)
      next = isTold ? dialogue.next(answer.value) : dialogue.throw(answer.reason)
    }
  } catch (error) {
    // Its law says so too.
    if (!(error instanceof NotDecidable)) throw error
  }
  return from({ hold, came }, ...(came as Origin[]))
}

/** What a dialogue finds, of what came in it. */
export function foundIn<Found>({ hold, came }: Held<Found>): Found {
  const dialogue = hold()
  let next = dialogue.next()
  for (const each of came)
    next = each instanceof NotDecidable ? dialogue.throw(each) : dialogue.next(each)
  return next.value as Found
}

export const problemsOfHeld = (held: Held): readonly Problem[] => foundIn(held)

/** For a clause whose statement has two parts, each with a case. */
export const lacksPart = ({ length }: readonly unknown[]): Why | undefined =>
  length < 2 ? ['freedom', 'one of two parts cannot be seen in these files'] : undefined

type Hold<Found> = (isSuspected: boolean) => Dialogue<Found>

/** Holds a dialogue on shared files; if it is suspected, on fresh ones, between equal looks at the window. */
export const held = <Found>(
  exports: Exports,
  window: Window,
  hold: Hold<Found>,
  part?: 'events' | 'records',
) =>
  gathered(
    exports,
    window,
    (fetch, port, isSuspected) => heldWith(() => hold(isSuspected), { fetch, port }),
    part,
  )

/** The same where the window does not matter. */
export const heldOnce = <Found>(exports: Exports, hold: Hold<Found>) =>
  askOnce(exports, (port) => heldWith(() => hold(port !== exports), { fetch: noFetch, port }))

const noFetch: Fetch = async () => {
  throw new Error('rows are fetched of a window, and this dialogue has none')
}
