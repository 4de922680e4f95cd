import { describe } from 'vitest'
import { expect, expectThat } from '../engine/clause/matchers.ts'
import { describeAnswer, isAccepted } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { allEnded, Trouble } from '../engine/outcome.ts'
import { clause } from '../helpers/clause.ts'
import { lateMismatches, wasChangedSince, windowAfter } from '../helpers/history/questions.ts'
import type { Loan } from '../helpers/loans/lending.ts'
import { premise, type Task } from '../helpers/service/answers.ts'
import { describeWhole, isSameButSpelling } from '../helpers/service/assignments.ts'
import type { Tried } from '../helpers/updates/attempt.ts'
import type { Attempts } from '../helpers/updates/attempts.ts'
import { createWalked, kindsToTry, problemsOfFailed } from '../helpers/updates/comment-kinds.ts'
import { createToken } from '../helpers/updates/controls.ts'
import { problemsOfHistory, whyTooFew, writeHistory } from '../helpers/updates/history.ts'
import { walkTheModel } from '../helpers/updates/model.ts'
import { movedAmong, problemsOfMoved } from '../helpers/updates/moved.ts'
import {
  overlapOf,
  problemsOfLosers,
  problemsOfNoWinner,
  problemsOfRefusals,
  type Rivalry,
  type Round,
  raceOnce,
  rounds,
} from '../helpers/updates/race.ts'
import type { Step } from '../helpers/updates/step.ts'
import { stale } from '../helpers/updates/versions.ts'

const section = 'Errors'

const isTakenWithComment = ({ sent, answer }: Step) => !!sent.comment && isAccepted(answer)

/** The stale updates that were answered 409; without one, the clauses on each of them say why. */
async function needMismatch(attempts: Attempts): Promise<Tried[]> {
  const tried = await allEnded(Object.values(stale).map((each) => attempts.try(each)))
  const refused = tried.filter(({ answer }) => answer.status === 409)
  premise(
    refused.length > 0,
    'clause',
    'no stale update was answered 409',
    'version.stale.reassign',
    'version.stale.unassign',
    'version.stale.assign',
  )
  return refused
}

const oneAtATime = 'set CONCURRENCY to 2 or more: only then are updates sent at once'

describe('Optimistic concurrency', () => {
  for (const kind of ['assign', 'reassign', 'unassign'] as const)
    clause(
      `version.stale.${kind}`,
      { must: `answer 409 to a stale If-Match on ${kind}`, section },
      async ({ attempts, note }) => {
        await attempts.needControl(kind === 'unassign' ? kind : 'update')
        const tried = await attempts.try(stale[kind])
        const { answer, decides } = tried
        expect(answer).toHaveStatus(409, { decides })
        const next = await attempts.followUp(tried)
        if (next && isAccepted(next.answer))
          expect(next.answer).toHaveStatus(409, {
            what: next.attempt.what,
            decides: next.decides,
          })
        note(describeAnswer(answer))
      },
    )

  clause(
    'version.refused-changes-nothing',
    { must: 'leave the assignment as it was after a 409', section },
    async ({ attempts, session, note }) => {
      const refused = await needMismatch(attempts)
      const late = () => lateMismatches(session.history)
      expect(await attempts.carriedOut(refused, late)).toBeNone()
      note(`${refused.length} stale updates: 409, and reads show the assignment as before`)
    },
  )

  clause(
    'version.refused-changes-nothing.version',
    { should: 'leave updated_at as it was after a 409', section },
    async ({ attempts, service, session, control, people, note }) => {
      const refused = (await needMismatch(attempts)).filter(({ carriedOut }) => !carriedOut)
      premise(
        refused.length > 0,
        'clause',
        'the assignment changed after every 409',
        'version.refused-changes-nothing',
      )
      const moved = movedAmong(refused)
      const kept = refused.length - moved.length
      const deps = { ...session, service, people, commented: control.commented }
      if (kept === 0 && moved[0])
        expect(await problemsOfMoved(moved[0], deps, session.stop)).toBeNone()
      note(
        kept > 0
          ? `updated_at as before after ${kept} of ${refused.length} refusals`
          : 'updated_at as before after a refusal on a task that stood still',
      )
    },
  )

  clause(
    'version.retry',
    { must: 'accept the update with the latest updated_at after a 409', section },
    async ({ attempts, note }) => {
      const { answer, next } = await attempts.try(stale.unassign)
      premise(
        answer.status === 409,
        'clause',
        `${describeAnswer(answer)} to a stale If-Match`,
        'version.stale.unassign',
      )
      premise(
        next !== undefined,
        'clause',
        `${describeAnswer(answer)}, and it was carried out`,
        'version.refused-changes-nothing',
      )
      expect(next).toBeAccepted({
        control: answer,
        again: { why: 'an update that is refused has to come before it' },
      })
      note(`409, then ${describeAnswer(next as Answer)} to the updated_at that was read`)
    },
  )

  clause(
    'version.one-winner',
    {
      must: 'accept one and only one of several simultaneous updates with the current version, refuse the others with 409, and store the winner’s assignment',
      section: 'Versioning',
      reading: '409 is stated for a version mismatch alone',
    },
    async ({ service, session, journey, people, evidence, over, note }) => {
      const { settings, history } = session
      const { actorId: actor = '' } = settings
      const writers = Math.min(6, settings.concurrency)
      premise(writers > 1, 'setting', oneAtATime)
      const taken = await journey.accepted('transitions')
      const unassigns = taken.filter(({ sent }) => sent.to === null)
      const mayComment = {
        assign: taken.filter(({ sent }) => sent.to !== null).some(isTakenWithComment),
        unassign: unassigns.some(isTakenWithComment),
      }
      const overlaps: number[] = []
      const results: string[] = []
      const lost: Round[] = []
      const race = async (
        loan: Loan,
        rivalry: Rivalry,
        more: { limitMs?: number; known?: Task },
      ) => {
        const from = evidence.length
        const name = createToken()
        const isFirst = overlaps.length === 0 || more.limitMs !== undefined
        const plan = { actor, writers, name, rivalry, isFirst, mayComment, ...more }
        const seen = await raceOnce(loan, service, people, plan)
        overlaps.push(overlapOf(evidence.slice(from).filter(({ method }) => method === 'PUT')))
        return seen
      }
      const mayUnassign = unassigns.length > 0
      let unknown = 0
      const judge = (round: Round) => {
        const { winners, refused, stored, settled, idle } = round
        unknown += round.unknown
        expectThat(
          winners.length <= 1 || idle,
          `${winners.length} of ${writers} simultaneous updates with one If-Match were accepted, not one`,
          {
            expected: 'one accepted, 409 to the others',
            got: `${winners.length} accepted`,
            judged: winners.map(({ answer }) => answer),
          },
        )
        expect(problemsOfRefusals(round)).toBeNone()
        const [winner] = winners
        const alike = writers - winners.length - refused.length - round.unknown
        const rest = alike > 0 ? `, ${alike} that asked for what was done already` : ''
        results.push(`${winners.length} accepted, ${refused.length} refused with 409${rest}`)
        if (!winner) lost.push(round)
        if (winner && settled)
          expectThat(
            isSameButSpelling(stored.assignment, winner.assignment),
            `${describeWhole(winner.assignment)} was accepted, but ${describeWhole(stored.assignment)} is stored`,
            {
              expected: describeWhole(winner.assignment),
              got: describeWhole(stored.assignment),
              judged: stored,
              control: winner.answer,
            },
          )
      }
      const began = performance.now()
      const raceOn = async (loan: Loan) => {
        let known: Task | undefined = loan.task
        const raceHere = async (rivalry: Rivalry) => {
          const round = await race(loan, rivalry, { known })
          // Where all winners unassigned, one more was sent after the last read.
          known = round.winners.length > 1 ? undefined : round.stored
          return round
        }
        for await (const round of rounds(raceHere, { mayUnassign })) judge(round)
        return loan.task.id
      }
      const { lending } = session
      const id = await lending.lend('any', service, raceOn, 'when windows are known')
      const isWon = lost.length < results.length
      if (!isWon && unknown > 0)
        throw new Trouble(
          `${unknown} simultaneous updates without an answer, and none was accepted`,
        )
      if (!isWon) expect(problemsOfNoWinner(lost)).toBeNone()
      premise(
        isWon,
        'freedom',
        `none of ${writers} simultaneous updates was accepted in any of ${results.length} rounds, and sent again alone not one in each of them`,
      )
      const ended = performance.now()
      await over()
      expect(problemsOfLosers(history, id, { began, ended })).toBeNone()
      // Whatever has changed the task since may have been one that unassigns: once more, watched for longer.
      if (wasChangedSince(history, id, ended))
        await lending.lend('any', service, async (loan) =>
          judge(
            await race(loan, mayUnassign ? 'both' : 'assign', {
              limitMs: windowAfter(history, id, ended, settings.settleMs),
            }),
          ),
        )
      note(
        `${writers} writers in ${overlaps.length} rounds (${results.join('; ')}); under way at one moment: ${overlaps.join(', ')}`,
      )
    },
  )

  clause(
    'version.history',
    {
      must: 'accept no two of many concurrent updates on one version, and lose none',
      section: 'Versioning',
    },
    async ({ service, borrowed, actor, people, random, settings, evidence, note }) => {
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
    },
  )

  clause(
    'version.model',
    {
      must: 'follow the table of transitions on any walk of updates, stale and invalid requests',
      section: 'States and transitions',
    },
    async ({ service, session, journey, control, borrowed, people, settings, note }) => {
      const { actorId: actor = '' } = settings
      // It was sent before a task was borrowed, which may be the only one.
      const kinds = kindsToTry(control.commented)
      const walked = createWalked()
      try {
        const ahead = service.ahead()
        const how = { actor, settings, kinds, walked, history: session.history }
        note(await walkTheModel(borrowed, ahead, people, how))
      } finally {
      }
      // Who judges comments may wait for this very task.
      await borrowed.giveBack()
      expect(await problemsOfFailed(walked, journey)).toBeNone()
    },
  )
})
