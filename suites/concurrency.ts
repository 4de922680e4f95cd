import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { problemsOfStatus } from '../engine/http/status.ts'
import { NotDecidable, Trouble } from '../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../engine/problem.ts'
import { clock } from '../engine/time/timers.ts'
import { clausesOf } from '../helpers/clause.ts'
import { lateMismatches, wasChangedSince, windowAfter } from '../helpers/history/questions.ts'
import type { Loan } from '../helpers/loans/lending.ts'
import { premise } from '../helpers/service/answers.ts'
import { describeWhole, isSameButSpelling } from '../helpers/service/assignments.ts'
import type { AttemptResult } from '../helpers/updates/attempt.ts'
import {
  type Attempts,
  describeTried,
  describeUnchanged,
  problemsOfEffect,
  problemsOfMismatch,
} from '../helpers/updates/attempts.ts'
import { createWalked, kindsToTry, problemsOfFailed } from '../helpers/updates/comment-kinds.ts'
import { problemsOfHistory, whyTooFew, writeHistory } from '../helpers/updates/history.ts'
import { walkTheModel } from '../helpers/updates/model.ts'
import { problemsOfMoved } from '../helpers/updates/moved.ts'
import {
  createRaces,
  problemsOfLosers,
  problemsOfNoWinner,
  problemsOfRefusals,
  type Round,
} from '../helpers/updates/race.ts'
import { stale } from '../helpers/updates/versions.ts'

const clause = clausesOf({ title: 'Optimistic concurrency', section: 'Errors' })

const needs = 'a stale If-Match'

/** The stale updates that were answered 409; without one, each clause on them says why. */
async function fetchMismatches(attempts: Attempts): Promise<readonly AttemptResult[]> {
  const tried = await attempts.all(Object.values(stale))
  const refused = tried.filter(({ answer }) => answer.status === 409)
  const owners = [
    'version.stale.reassign',
    'version.stale.unassign',
    'version.stale.assign',
  ] as const
  premise(refused.length > 0, 'clause', 'no stale update was answered 409', ...owners)
  return refused
}

const oneAtATime = 'set CONCURRENCY to 2 or more: only then are updates sent at once'

/** Several winners; or refusals for another reason; or a stored assignment that is not the winner's. */
function problemsOfRound(round: Round, writers: number): Problem[] {
  const { winners, stored, settled, idle } = round
  if (winners.length > 1 && !idle) {
    const sentence = `${winners.length} of ${writers} simultaneous updates with one If-Match were accepted, not one`
    const [expected, got] = ['one accepted, 409 to the others', `${winners.length} accepted`]
    return [problem(sentence, { expected, got, judged: winners.map(({ answer }) => answer) })]
  }
  const refusals = problemsOfRefusals(round)
  const [winner] = winners
  if (refusals.length > 0 || !winner || !settled) return refusals
  const [expected, got] = [describeWhole(winner.assignment), describeWhole(stored.assignment)]
  const isStored = isSameButSpelling(stored.assignment, winner.assignment)
  const seen = { expected, got, judged: stored, control: winner.answer }
  return problemUnless(isStored, `${expected} was accepted, but ${got} is stored`, seen)
}

function expectWinner(rounds: readonly Round[], writers: number): void {
  if (rounds.some(({ winners }) => winners.length > 0)) return
  const unknown = rounds.reduce((sum, round) => sum + round.unknown, 0)
  if (unknown > 0)
    throw new Trouble(`${unknown} simultaneous updates without an answer, and none was accepted`)
  expect(problemsOfNoWinner(rounds)).toBeNone()
  throw new NotDecidable(
    'freedom',
    `none of ${writers} simultaneous updates was accepted in any of ${rounds.length} rounds, nor was one of each round when sent again alone`,
  )
}

function describeRound({ winners, refused, unknown }: Round, writers: number): string {
  const alike = writers - winners.length - refused.length - unknown
  const rest = alike > 0 ? `, ${alike} that asked for what was done already` : ''
  return `${winners.length} accepted, ${refused.length} refused with 409${rest}`
}

for (const kind of ['assign', 'reassign', 'unassign'] as const)
  clause(`version.stale.${kind}`, {
    must: `answer 409 to a stale If-Match on ${kind}`,
    law: problemsOfMismatch,
    of: describeTried,
    needs,
  })(async function* ({ attempts }) {
    await attempts.needControl(kind === 'unassign' ? kind : 'update')
    const tried = await attempts.try(stale[kind])
    yield tried
    const next = await attempts.followUp(tried)
    if (next) yield next
  })

clause('version.refused-changes-nothing', {
  must: 'leave the assignment as it was after a 409',
  law: problemsOfEffect,
  of: describeUnchanged,
  needs,
})(({ attempts, session }) =>
  attempts.watched(fetchMismatches(attempts), () => lateMismatches(session.history)),
)

clause('version.refused-changes-nothing.version', {
  should: 'leave updated_at as it was after a 409',
  law: problemsOfMoved,
  of: (refused) => `${describeTried(refused)}, and updated_at is as before`,
  none: ['clause', 'the assignment changed after every 409', 'version.refused-changes-nothing'],
  needs,
})(async ({ attempts }) => attempts.unmoved(await fetchMismatches(attempts)))

clause('version.retry', {
  must: 'accept the update with the latest updated_at after a 409',
  law: ({ next, control }: Retried) =>
    problemsOfStatus(next, '2xx', {
      control,
      again: { why: 'an update that is refused has to come before it' },
    }),
  of: ([{ next }]) => `409, then ${describeAnswer(next)} to the updated_at that was read`,
  needs,
})(async ({ attempts }) => {
  const { answer: control, next } = await attempts.try(stale.unassign)
  const told = describeAnswer(control)
  const is409 = control.status === 409
  premise(is409, 'clause', `${told} to a stale If-Match`, 'version.stale.unassign')
  const owner = 'version.refused-changes-nothing'
  premise(next !== undefined, 'clause', `${told}, and it was carried out`, owner)
  return [{ next: next as Answer, control }]
})

/** The update with the version that was read after a 409, which is its control. */
type Retried = { next: Answer; control: Answer }

clause('version.one-winner', {
  must: 'accept one and only one of several simultaneous updates with the current version, refuse the others with 409, and store the winner’s assignment',
  section: 'Versioning',
  reading: '409 is stated for a version mismatch alone',
})(async ({ service, session, sequence, people, evidence, over, note }) => {
  const { settings, history, lending } = session
  const { actorId: actor = '', settleMs } = settings
  const writers = Math.min(6, settings.concurrency)
  premise(writers > 1, 'setting', oneAtATime)
  const taken = await sequence.accepted('transitions')
  const races = createRaces(service, people, { actor, writers, taken, evidence })
  const rounds: Round[] = []
  const judge = (round: Round) => {
    expect(problemsOfRound(round, writers)).toBeNone()
    rounds.push(round)
  }
  const began = clock.now()
  const raceOn = async (loan: Loan) => {
    for await (const round of races.on(loan)) judge(round)
    return loan.task.id
  }
  const id = await lending.lend('any', service, raceOn, 'when windows are known')
  expectWinner(rounds, writers)
  const ended = clock.now()
  await over()
  expect(problemsOfLosers(history, id, { began, ended })).toBeNone()
  // A later change may have unassigned the task: repeat, and watch longer.
  if (wasChangedSince(history, id, ended))
    await lending.lend('any', service, async (loan) =>
      judge(await races.once(loan, windowAfter(history, id, ended, settleMs))),
    )
  const results = rounds.map((round) => describeRound(round, writers)).join('; ')
  const { overlaps } = races
  note(
    `${writers} writers in ${overlaps.length} rounds (${results}); under way at one moment: ${overlaps.join(', ')}`,
  )
})

clause('version.history', {
  must: 'accept no two of many concurrent updates on one version, and lose none',
  section: 'Versioning',
})(async ({ service, borrowed, actor, people, random, settings, evidence, note }) => {
  const clients = Math.min(4, settings.concurrency)
  premise(clients > 1, 'setting', oneAtATime)
  const from = evidence.length
  const plan = { actor, clients, updates: 2, random }
  const { history, last } = await writeHistory(borrowed, service, people, plan)
  const count = (outcome: string) => history.filter((each) => each.outcome === outcome).length
  const counts = `${count('accepted')} accepted, ${count('refused')} refused, ${count('unknown')} unknown`
  expect(problemsOfHistory(history, last)).toBeNone()
  if (count('accepted') < 2) whyTooFew(counts, evidence.slice(from))
  note(`${clients} clients side by side: ${counts}`)
})

clause('version.model', {
  must: 'follow the table of transitions on any walk of updates, stale and invalid requests',
  section: 'States and transitions',
})(async ({ service, session, sequence, control, borrowed, people, settings, note }) => {
  const { actorId: actor = '' } = settings
  // It was sent before a task was borrowed, which may be the only one.
  const kinds = kindsToTry(control.commented)
  const walked = createWalked()
  const how = { actor, settings, kinds, walked, history: session.history }
  note(await walkTheModel(borrowed, service.ahead(), people, how))
  // A clause on comments may wait for this very task.
  await borrowed.giveBack()
  expect(await problemsOfFailed(walked, sequence)).toBeNone()
})
