import { caseOf, valueIn } from '../engine/clause/case.ts'
import { counted } from '../engine/counted.ts'
import { distinct } from '../engine/distinct.ts'
import { memberFinding } from '../engine/findings/member.ts'
import { twinsFinding } from '../engine/findings/twins.ts'
import { describeAnswer, isAccepted } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import type { Exchange } from '../engine/http/exchange.ts'
import { problemsOfStatus } from '../engine/http/status-problems.ts'
import { NotDecidable, Trouble, toSet } from '../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../engine/problem.ts'
import { clausesOf } from '../helpers/clause.ts'
import { statuses } from '../helpers/contract/statuses.ts'
import { type Change, changeNames, changes } from '../helpers/contract/transitions.ts'
import { effectFinding } from '../helpers/findings/effect.ts'
import { inOneMoment } from '../helpers/findings/not-scripted.ts'
import { undoneFinding } from '../helpers/findings/undone.ts'
import { winnersFinding } from '../helpers/findings/winners.ts'
import type { Op } from '../helpers/history/history.ts'
import { lateMismatches, problemsOfToken } from '../helpers/history/questions.ts'
import { needPermitted, premise, type Task, taskIn } from '../helpers/service/answers.ts'
import {
  differenceIn,
  isAssignedTo,
  isSameButSpelling,
  wantedAssignee,
} from '../helpers/service/assignments.ts'
import { commentIn } from '../helpers/service/comments.ts'
import type { Settings } from '../helpers/settings/table.ts'
import { type Attempt, asUnassign, withVersion } from '../helpers/updates/attempt.ts'
import {
  type Attempts,
  describeTried,
  describeUnchanged,
  problemsOfEffect,
  problemsOfMismatch,
  problemsOfMoved,
  type Tried,
} from '../helpers/updates/attempts.ts'
import {
  answersOf,
  fetchRace,
  ofFate,
  type Race,
  type Round,
  type SideBySide,
  updateSideBySide,
} from '../helpers/updates/race.ts'
import { caseOfWalked, fetchWalk, type Walked } from '../helpers/updates/walk.ts'

const clause = clausesOf({ title: 'Optimistic concurrency', section: 'Errors' })

const wasCurrent = (
  what: string,
  version: Attempt['version'],
  on: 'assigned' | 'unassigned',
  needsEarlier = 1,
): Attempt => ({ ...withVersion(what, version), on, needsEarlier })

const lastUsed: Attempt['version'] = (_, earlier) => earlier.at(-1)?.ifMatch

const stale = {
  // A service may accept all but the last few versions.
  assign: {
    ...wasCurrent('that assigns with a stale If-Match', lastUsed, 'unassigned', 2),
    to: 'TEAM',
  },
  reassign: wasCurrent('that reassigns with a stale If-Match', lastUsed, 'assigned'),
  unassign: {
    ...wasCurrent('that unassigns with a stale If-Match', lastUsed, 'assigned'),
    body: asUnassign,
  },
} satisfies Record<Change, Attempt>

const first: Attempt['version'] = (_, earlier) => earlier[0]?.ifMatch

/** What is sent to the same task after these; a service may refuse it for another reason. */
const staleAgain: Record<string, Attempt> = {
  assign: {
    ...wasCurrent('with the first version that this run used up', first, 'unassigned', 2),
    fate: 'not carried out',
  },
  reassign: {
    ...wasCurrent('that was accepted, sent once more unchanged', lastUsed, 'assigned'),
    body: (valid, _, __, earlier) => earlier.at(-1)?.body ?? { update: valid },
    fate: 'not carried out',
  },
}

async function fetchMismatches(attempts: Attempts): Promise<readonly Tried[]> {
  const tried = await attempts.all(Object.values(stale))
  const refused = tried.filter((one) => valueIn(one).answer.status === statuses.staleVersion)
  const owners = [
    'version.stale.reassign',
    'version.stale.unassign',
    'version.stale.assign',
  ] as const
  premise(
    refused.length > 0,
    'clause',
    `no update with a stale If-Match was rejected with ${statuses.staleVersion}`,
    ...owners,
  )
  return refused
}

for (const kind of changeNames)
  clause(`version.stale.${kind}`, {
    must: `respond 409 when a task is ${kind}ed with a stale If-Match`,
    law: problemsOfMismatch,
    of: describeTried,
  })(['sequence', 'attempts'], async function* ({ sequence, attempts }) {
    await sequence.needControls(changes[kind].by)
    yield attempts.try(stale[kind])
    const again = staleAgain[kind]
    if (again) yield attempts.try(again)
  })

clause('version.refused-changes-nothing', {
  must: 'leave the assignment unchanged after an update that is rejected with 409',
  law: problemsOfEffect,
  of: describeUnchanged,
})(['session', 'attempts'], ({ session, attempts }) =>
  attempts.watched(fetchMismatches(attempts), () => lateMismatches(session.history)),
)

clause('version.refused-changes-nothing.version', {
  should: 'leave updated_at unchanged after an update that is rejected with 409',
  law: problemsOfMoved,
  of: (refused) => `${describeTried(refused)}, and updated_at is unchanged`,
  none: [
    'clause',
    `the assignment changed after every ${statuses.staleVersion}`,
    'version.refused-changes-nothing',
  ],
})(['attempts'], async ({ attempts }) => attempts.unmoved(await fetchMismatches(attempts)))

clause('version.retry', {
  must: 'accept an update with the latest updated_at after a 409 response',
  law: ({ next, control }: Retried) =>
    problemsOfStatus(next, '2xx', {
      control,
      again: { why: 'an update that is rejected has to come before it' },
    }),
  of: ([{ next }]) =>
    `${statuses.staleVersion}, then ${describeAnswer(next)} to the updated_at that was read`,
})(['attempts'], async ({ attempts }) => {
  const { answer: control, next } = valueIn(await attempts.try(stale.unassign))
  const told = describeAnswer(control)
  const isMismatch = control.status === statuses.staleVersion
  premise(isMismatch, 'clause', `${told} to a stale If-Match`, 'version.stale.unassign')
  const owner = 'version.refused-changes-nothing'
  premise(next !== undefined, 'clause', `${told}, but the assignment changed`, owner)
  return [caseOf({ next: next as Answer, control }, { judged: next, control })]
})

type Retried = { next: Answer; control: Answer }
function needSeveral({ concurrency }: Settings, most: number): number {
  const once = ' to 2 or more, so that updates are sent simultaneously'
  premise(concurrency > 1, ...toSet(['CONCURRENCY'], once))
  return Math.min(most, concurrency)
}

clause('version.one-winner', {
  must: 'accept exactly one of several simultaneous updates with the current version, reject the others with 409, and store the accepted assignment',
  section: 'Versioning',
  reading: '409 is stated for a version mismatch alone',
  law: problemsOfRace,
  of: (all) => all.slice(-1).map(describeRace).join(),
})(
  ['session', 'service', 'sequence', 'over', 'people'],
  async function* ({ session, service, sequence, over, people }) {
    const writers = needSeveral(session.settings, 6)
    const taken = await sequence.accepted('transitions')
    const racing = { ...session, service, people, writers, taken, over }
    yield* fetchRace(racing, (round) => problemsOfRound(round).length === 0)
  },
)

function problemsOfRace({ rounds, lost }: Race): Problem[] {
  const what = 'to one of several updates sent at once'
  const sent = rounds.flatMap((round) => round.sent)
  const winners = answersOf(ofFate(sent, 'accepted'))
  const found = [
    ...rounds.flatMap(problemsOfRound),
    ...lost.flatMap(({ refused, traces }) => problemsOfToken(refused, traces, what, winners)),
  ]
  if (found.length > 0 || winners.length > 0) return found
  const unknown = ofFate(sent, 'unknown').length
  if (unknown > 0)
    throw new Trouble(`${unknown} simultaneous updates without a response, and none was accepted`)
  const none = problemsOfNoWinner(rounds)
  const why = `no simultaneous update was accepted in any of ${counted(rounds.length, 'round')}, nor was one of each round when sent again alone`
  premise(none.length > 0, 'freedom', why)
  return none
}

function problemsOfRound({ sent, refused, stored, isSettled, isIdle }: Round): Problem[] {
  const winners = answersOf(ofFate(sent, 'accepted'))
  if (winners.length > 1 && !isIdle) {
    const finding = winnersFinding({ sent: sent.length, accepted: winners.length })
    return [problem(finding, { judged: winners })]
  }
  const to = 'to one of several simultaneous updates'
  const refusals = refused.flatMap((answer) =>
    problemsOfStatus(answer, statuses.staleVersion, { to, control: winners }),
  )
  const [winner] = winners
  if (refusals.length > 0 || !winner || !isSettled) return refusals
  const { assignment } = taskIn(winner)
  const { member, one: value, other: got } = differenceIn(assignment, stored.assignment)
  const wanted = { kind: 'same value', as: 'answer', value } as const
  const finding = memberFinding(winner, { in: 'read', member, got, wanted })
  const isStored = isSameButSpelling(stored.assignment, assignment)
  const grounds = { judged: stored, control: winner, again: inOneMoment }
  return problemUnless(isStored, finding, grounds)
}

/** If a single round has no winner, another writer may have been faster. */
function problemsOfNoWinner(rounds: readonly Round[]): Problem[] {
  const alone = rounds.flatMap(({ alone }) => (alone && isAccepted(alone) ? alone : []))
  const [first] = alone
  if (!first || alone.length < Math.max(3, rounds.length)) return []
  const sent = rounds.map((round) => answersOf(round.sent))
  const finding = winnersFinding({
    sent: sent[0]?.length ?? 0,
    accepted: 0,
    rounds: rounds.length,
  })
  return [problem(finding, { judged: sent.flat(), control: alone })]
}

function describeRace({ rounds }: Race): string {
  const results = rounds.map(({ sent, refused }) => {
    const [won, unknown] = [ofFate(sent, 'accepted').length, ofFate(sent, 'unknown').length]
    const alike = sent.length - won - refused.length - unknown
    const rest = alike > 0 ? `, ${alike} that requested the assignment already made` : ''
    return `${won} accepted, ${refused.length} rejected with ${statuses.staleVersion}${rest}`
  })
  const overlaps = rounds.map(({ sent }) =>
    overlapOf(sent.flatMap(({ exchange = [] }) => exchange)),
  )
  return `${rounds[0]?.sent.length} writers in ${counted(rounds.length, 'round')} (${results.join('; ')}); updates in flight at the same time: ${overlaps.join(', ')}`
}

export function overlapOf(exchanges: readonly Exchange[]): number {
  const spans = exchanges.map(({ start, milliseconds }) => {
    const begin = Date.parse(start)
    return { begin, end: begin + milliseconds }
  })
  return Math.max(
    0,
    ...spans.map(
      ({ begin }) => spans.filter((other) => other.begin <= begin && begin <= other.end).length,
    ),
  )
}

clause('version.history', {
  must: 'accept at most one of many concurrent updates per version, and lose no accepted update',
  section: 'Versioning',
  law: problemsOfHistory,
  of: (all) => `concurrent clients: ${all.map(({ sent }) => describeFates(sent)).join()}`,
})(['session', 'random', 'people', 'borrowed'], async ({ session, random, people, borrowed }) => {
  const clients = needSeveral(session.settings, 4)
  return updateSideBySide(borrowed, { ...session, people, clients, random })
})

const fates = ['accepted', 'refused', 'unknown'] as const
const describeFates = (sent: readonly Op[]) =>
  fates.map((fate) => `${ofFate(sent, fate).length} ${fate}`).join(', ')

/** Unknown outcomes never count as violations. */
function problemsOfHistory({ sent, last }: SideBySide): Problem[] {
  const accepted = ofFate(sent, 'accepted')
  const named = (ops: readonly Op[]) =>
    ops.map(({ answer }) => `#${answer?.exchange}`).join(' and ')
  const among = (versionOf: (op: Op) => string | undefined) =>
    distinct(accepted.flatMap((op) => versionOf(op) ?? []))
      .map((version) => ({ version, same: accepted.filter((op) => versionOf(op) === version) }))
      .filter(({ same }) => same.length > 1)
  const used = among(({ ifMatch }) => ifMatch).map(({ version, same }) => {
    const finding = winnersFinding({
      sent: same.length,
      accepted: same.length,
      ifMatch: version,
    })
    return problem(finding, { judged: answersOf(same) })
  })
  const made = among((op) => op.shown?.version).map(({ version, same }) => {
    const finding = twinsFinding({
      things: 'versions',
      wanted: 'unlike',
      one: { name: named(same.slice(0, 1)), has: [version] },
      other: { name: named(same.slice(1)) },
    })
    return problem(finding, { judged: answersOf(same) })
  })
  const still = accepted.flatMap((op) => {
    const { ifMatch, answer, shown: came } = op
    if (!answer || came?.version !== ifMatch) return []
    const wanted = { kind: 'new value' } as const
    const finding = memberFinding(answer, { member: 'updated_at', got: came?.version, wanted })
    return [problem(finding, { judged: answer, again: inOneMoment })]
  })
  const found = [...used, ...made, ...still, ...problemsOfReplaced(accepted, last)]
  if (found.length === 0 && accepted.length < 2) needTwoAccepted(sent)
  return found
}

/** Of an update whose comment the task shows, although an accepted one was sent with its version. */
function problemsOfReplaced(accepted: readonly Op[], last: Task): Problem[] {
  const comment = commentLeftIn(last, accepted)
  if (!comment) return []
  const replaced = accepted.find(({ body }) => commentIn(body) === comment)
  const next = accepted.find((op) => op !== replaced && op.ifMatch === replaced?.shown?.version)
  if (!replaced?.answer || !next?.answer) return []
  const finding = undoneFinding({
    shows: 'update',
    replaced: replaced.answer.exchange,
    by: next.answer.exchange,
    wanted: commentIn(next.body) ?? null,
    got: comment,
  })
  return [problem(finding, { judged: last, control: [replaced.answer, next.answer] })]
}

/** Another writer who puts the task back sends a comment again that it found, and gets a version of its own. */
function commentLeftIn(last: Task, accepted: readonly Op[]): string | null | undefined {
  const isOwnVersion = accepted.some((op) => op.shown?.version === last.updated_at)
  return isOwnVersion ? last.assignment?.assignment_comment : undefined
}

function needTwoAccepted(sent: readonly Op[]): never {
  const statuses = sent.map(({ answer }) => answer?.status ?? 0)
  const seen = `${describeFates(sent)}, with ${distinct(statuses).join(', ')}`
  if (ofFate(sent, 'unknown').length === sent.length) throw new Trouble(seen)
  if (statuses.every((status) => status === 403)) answersOf(sent).forEach(needPermitted)
  throw new NotDecidable('freedom', `${seen}; two accepted updates of one task are needed`)
}

clause('version.model', {
  must: 'follow the state transition table in any sequence of valid, stale and invalid updates',
  section: 'States and transitions',
  law: problemsOfWalked,
  of: (walked) =>
    `${walked.filter(({ answer }) => isAccepted(answer)).length} of ${walked.length} updates of one walk accepted`,
})(
  ['session', 'people', 'control', 'borrowed'],
  async ({ session, people, control: { commented }, borrowed }) => {
    const walking = { ...session, people, commented }
    const isClear = (walked: Walked) => problemsOfWalked(walked).length === 0
    return (await fetchWalk(borrowed, walking, isClear)).map(caseOfWalked)
  },
)

function problemsOfWalked({ asks, what, walk, answer, to, stored, control }: Walked): Problem[] {
  const ending = `\nthe walk: ${walk}`
  // 403 may mean a missing permission.
  const isStale = asks !== 'stale' || [403, statuses.staleVersion].includes(answer.status)
  if (!isStale || (asks === 'valid' && !isAccepted(answer))) {
    const wanted = asks === 'valid' ? '2xx' : statuses.staleVersion
    return problemsOfStatus(answer, wanted, { to: `to ${what}`, more: ending, control })
  }
  if (stored === undefined) return []
  if (stored instanceof NotDecidable) {
    const unlike = { effect: 'unlike before', read: stored.message } as const
    const finding = effectFinding(answer, unlike, { to: `to ${what}`, more: ending })
    return [problem(finding, { judged: [answer, stored] })]
  }
  const finding = memberFinding(answer, {
    in: 'read',
    member: 'assignment',
    got: stored.assignment,
    wanted: wantedAssignee(to),
    to: `to ${what}`,
    more: ending,
  })
  return problemUnless(isAssignedTo(stored.assignment, to), finding, { judged: [answer, stored] })
}
