import type { Some } from '../engine/clause/law.ts'
import { isAccepted } from '../engine/http/answers.ts'
import { NotDecidable, toSet } from '../engine/outcome.ts'
import { clausesOf } from '../helpers/clause.ts'
import type { Reading } from '../helpers/reads/readings.ts'
import { premise, taskIn } from '../helpers/service/answers.ts'
import { isSameId } from '../helpers/service/ids.ts'
import type { KnownIds } from '../helpers/service/known.ts'
import type { Service } from '../helpers/service/service.ts'
import { nearVersions, wrongVersions } from '../helpers/service/wrong-versions.ts'
import {
  type Attempt,
  type AttemptResult,
  asUnassign,
  batched,
  withVersion,
} from '../helpers/updates/attempt.ts'
import {
  describeTried,
  describeUnchanged,
  problemsOfEffect,
  problemsOfMismatch,
  sent,
  watchedAll,
} from '../helpers/updates/attempts.ts'

const clause = clausesOf({
  title: 'Optimistic concurrency',
  section: 'Errors',
})
const absent = withVersion('without If-Match', () => undefined)
const absentToTeam: Attempt = { ...absent, what: 'to a team without If-Match', to: 'TEAM' }

/** What the task's version never was: how it differs, the text, and the level. */
const wrong: Record<
  string,
  [how: string, to: (version: string) => string | undefined, level?: 'should']
> = {
  near: ['differs from the current version in the last digit', wrongVersions.near],
  older: ['is one year before the current version', wrongVersions.older],
  future: ['is one year after the current version', wrongVersions.future],
  cut: ['is the current version without its fraction of a second', nearVersions.cut],
  shorter: ['is the current version with one fraction digit removed', nearVersions.shorter],
  zone: ['is the current version with another UTC offset', nearVersions.zone],
  finer: ['is the current version with one fraction digit added', nearVersions.finer, 'should'],
  padded: ['is the current version with letters added around it', nearVersions.padded, 'should'],
}

/** A version without a fraction cannot be cut: a clearly wrong one is sent instead. */
const wrongUpdates = Object.entries(wrong).map(([, [how, to]]) =>
  withVersion(`whose If-Match ${how}`, (version) => to(version) ?? wrongVersions.older(version)),
)
const [, older] = wrongUpdates as [Attempt, Attempt]
const garbage = withVersion('whose If-Match is not a timestamp', () => 'not-a-version')
/** A service that compares only a common prefix accepts it. */
const begun = withVersion('whose If-Match is only the date of the version', (version) =>
  version.length > 10 ? version.slice(0, 10) : 'not-a-version',
)
const star = withVersion('whose If-Match is *', () => '*')

const unassigning = (update: Attempt): Attempt => ({
  ...update,
  what: `that unassigns and ${update.what}`,
  on: 'assigned',
  body: asUnassign,
})

const wrongUnassigns = wrongUpdates.slice(0, 6).map(unassigning)
const unassigns = {
  garbage: unassigning(garbage),
  star: unassigning(star),
  absent: unassigning(absent),
}

/** What the task shows already: the version counts even if nothing changes. */
const repeating: Attempt = {
  ...older,
  what: `that repeats the assignment and ${older.what}`,
  on: 'assigned',
  fate: 'not carried out',
  body: (valid, _, before) => ({ update: { ...valid, ...before } }),
}

/** The assignee may not use a wrong version either. */
const byAssignee: Attempt = {
  ...repeating,
  what: `that names the assignee as assigner and ${older.what}`,
  body: (valid, _, before) => ({
    update: { ...valid, ...(before ? { assigned_by_id: before.assigned_to_id } : {}) },
  }),
}

batched([
  ...[...wrongUpdates.slice(3), ...wrongUnassigns, ...Object.values(unassigns)],
  ...[repeating, byAssignee, begun],
])

async function fetchOtherVersion(
  { tasks }: KnownIds,
  readings: readonly Reading[],
  service: Service,
): Promise<[on: string, update: Attempt]> {
  const lendable = tasks.filter((task) => task.lendable)
  const on = lendable.find(({ assigned }) => assigned !== 'unknown') ?? lendable[0]
  // A task that is only read shows the same during the whole run.
  const still = tasks.find((task) => !task.lendable && task.heldBy === undefined)
  const other = still ?? tasks.findLast(({ id }) => id !== on?.id)
  const few = ' to two or more tasks: the version of another one is needed'
  if (!on || !other) throw new NotDecidable(...toSet(['TASK_IDS'], few))
  const read = still && readings.find(({ id }) => isSameId(id, still.id))
  const { updated_at } = taskIn(read?.answer ?? (await service.readTask(other.id)))
  return [on.id, withVersion('whose If-Match is the version of another task', () => updated_at)]
}

const mismatch = { law: problemsOfMismatch, of: describeTried }
const noEffect = { law: problemsOfEffect, of: describeUnchanged }

for (const [at, [kind, [how, to, level]]] of Object.entries(wrong).entries()) {
  const statement = `respond 409 to an update whose If-Match ${how}`
  const unassigns = at < 3 ? [] : wrongUnassigns.slice(at, at + 1)
  clause(`version.wrong.${kind}`, {
    ...(level === 'should' ? { should: statement } : { must: statement }),
    law: (tried: AttemptResult) => {
      const { updated_at } = tried.before
      const short = `updated_at is ${updated_at}, which has too few fraction digits, or no UTC offset, for this change`
      premise(to(updated_at) !== undefined, 'data', short)
      return problemsOfMismatch(tried)
    },
    of: describeTried,
  })(['attempts'], sent(...wrongUpdates.slice(at, at + 1), ...unassigns))
}

clause('version.wrong.unassign', {
  must: 'respond 409 to an unassign request whose If-Match was never a version of the task',
  ...mismatch,
})(['attempts'], sent(...wrongUnassigns.slice(0, 3)))

clause('version.wrong.other-task', {
  must: 'respond 409 to an update whose If-Match is the version of another task',
  ...mismatch,
})(
  ['session', 'service', 'taskReadings', 'attempts'],
  async ({ session, service, taskReadings, attempts }) => {
    return [
      await attempts.tryOn(...(await fetchOtherVersion(session.known, taskReadings, service))),
    ]
  },
)

clause('version.wrong.repeated', {
  must: 'reject a wrong If-Match even if the update repeats the current assignment or names the assignee as assigner',
  reading: 'an assignee who stays, or who assigns, may be rejected for that',
  ...mismatch,
})(['attempts'], sent(repeating, byAssignee))

clause('version.required.unassign', {
  must: 'leave the assignment unchanged after an unassign request without If-Match',
  section: 'Update a task assignment',
  ...noEffect,
})(['attempts'], watchedAll(unassigns.absent))

clause('version.wrong.garbage', {
  must: 'leave the assignment unchanged after an update whose If-Match is not a timestamp, or only the date of the version',
  ...noEffect,
})(['attempts'], watchedAll(garbage, begun, unassigns.garbage))

clause('version.wrong.garbage.status', {
  should: 'respond 409 to an update whose If-Match is not a timestamp',
  ...mismatch,
})(['attempts'], sent(garbage, unassigns.garbage))

clause('version.required', {
  must: 'leave the assignment unchanged after an update without If-Match',
  section: 'Update a task assignment',
  ...noEffect,
})(['attempts', 'people'], ({ attempts, people }) => {
  // Not in the batch, because it also needs accepted unassign requests.
  const isTeam = people.some(({ type }) => type === 'TEAM')
  return attempts.watched(attempts.all([absent, ...(isTeam ? [absentToTeam] : [])]))
})

clause('version.star', {
  should: 'respond 409 to an update with If-Match: *, which is not the current version',
  ...mismatch,
})(['attempts'], sent(star, unassigns.star))

const effect = { look: ([result]: Some<AttemptResult>) => statusOf(result) }
const statusOf = ({ answer }: AttemptResult) => (isAccepted(answer) ? 'accepted' : answer.status)

clause('version.missing-status', {
  observe: 'the status of the response to an update without If-Match',
  ...effect,
})(['attempts'], sent(absent))

const spaced = (version: string) => version.replace(/[Tt]/, (letter) => ` ${letter}`)

clause('version.whitespace', {
  observe: 'whether If-Match is accepted with a space inside',
  ...effect,
})(['attempts'], sent(withVersion('whose If-Match has a space inside', spaced)))

const accepted: Record<string, [observe: string, what: string, version: Attempt['version']]> = {
  quoted: ['in quotes', 'is in quotes', (version) => `"${version}"`],
  weak: ['as a weak validator', 'is weak', (version) => `W/"${version}"`],
  case: ['in lower case', 'is in lower case', (version) => version.toLowerCase()],
  offset: [
    'with +00:00 instead of Z, or the reverse',
    'has +00:00 instead of Z, or the reverse',
    (version) =>
      /z$/i.test(version) ? version.replace(/z$/i, '+00:00') : version.replace(/[+-]00:?00$/, 'Z'),
  ],
}

for (const [kind, [observe, what, version]] of Object.entries(accepted))
  clause(`version.${kind}`, {
    observe: `whether If-Match is accepted ${observe}`,
    ...effect,
  })(
    ['attempts'],
    sent({ ...withVersion(`whose If-Match ${what}`, version), on: 'unassigned', fate: 'open' }),
  )
