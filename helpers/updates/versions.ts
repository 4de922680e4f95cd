import { NotDecidable } from '../../engine/outcome.ts'
import type { Reading } from '../reads/readings.ts'
import { taskIn } from '../service/answers.ts'
import { isSameId, malformedIds } from '../service/ids.ts'
import type { KnownIds } from '../service/known.ts'
import type { Service } from '../service/service.ts'
import { nearVersions, wrongVersions } from '../service/wrong-versions.ts'
import { type Attempt, asUnassign, asUpdate, batched } from './attempt.ts'

/** A valid update with another If-Match than the current version. */
export const withVersion = (what: string, version: Attempt['version']): Attempt => ({
  what,
  on: 'any',
  body: asUpdate,
  version,
})

/** Updates whose If-Match was current once. */
const wasCurrent = (
  what: string,
  version: Attempt['version'],
  on: 'assigned' | 'unassigned',
  needsEarlier = 1,
): Attempt => ({ ...withVersion(what, version), on, needsEarlier })

const lastUsed: Attempt['version'] = (_, earlier) => earlier.at(-1)?.ifMatch

export const stale = {
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
} satisfies Record<string, Attempt>

const first: Attempt['version'] = (_, earlier) => earlier[0]?.ifMatch

/** What is sent to the same task after these; a service may refuse it for another reason. */
export const staleAgain: Record<string, Attempt> = {
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

for (const [kind, again] of Object.entries(staleAgain))
  batched(`${kind} with stale versions`, [stale[kind as keyof typeof stale], again], 'row')

export const absent = withVersion('without If-Match', () => undefined)
export const absentToTeam: Attempt = {
  ...withVersion('to a team without If-Match', () => undefined),
  to: 'TEAM',
}

const wrongly = (kind: keyof typeof wrongVersions, how: string) =>
  withVersion(`whose If-Match ${how}`, wrongVersions[kind])
export const aYearAhead = wrongly('future', 'is one year after the current version')

export const wrong = {
  near: wrongly('near', 'differs from the current version in the last digit'),
  older: wrongly('older', 'is one year before the current version'),
  future: aYearAhead,
}
export const garbage = withVersion('whose If-Match is not a timestamp', () => 'not-a-version')
/** A service that compares only a common prefix accepts it. */
export const begun = withVersion('whose If-Match is only the date of the version', (version) =>
  version.length > 10 ? version.slice(0, 10) : 'not-a-version',
)
export const star = withVersion('whose If-Match is *', () => '*')

/** Texts near the current version, each another instant: the description and the level. */
export const near = {
  cut: ['without its fraction of a second', 'must'],
  shorter: ['with one fraction digit removed', 'must'],
  zone: ['with another UTC offset', 'must'],
  finer: ['with one fraction digit added', 'should'],
  padded: ['with letters added around it', 'should'],
} as const

export type Near = keyof typeof near

/** A version without a fraction cannot be cut: send a clearly wrong one instead. */
const nearTo =
  (kind: Near): NonNullable<Attempt['version']> =>
  (version) =>
    nearVersions[kind](version) ?? wrongVersions.older(version)

export const nearUpdates = Object.fromEntries(
  Object.entries(near).map(([kind, [what]]) => [
    kind,
    withVersion(`whose If-Match is the current version ${what}`, nearTo(kind as Near)),
  ]),
) as Record<Near, Attempt>

const unassigning = (what: string, version: NonNullable<Attempt['version']>): Attempt => ({
  what: `that unassigns ${what}`,
  on: 'assigned',
  body: asUnassign,
  version,
})

export const wrongUnassigns = {
  near: unassigning('with an If-Match that differs in the last digit', wrongVersions.near),
  older: unassigning('with an If-Match one year before the current version', wrongVersions.older),
  future: unassigning('with an If-Match one year after the current version', wrongVersions.future),
}

export const nearUnassigns: Partial<Record<Near, Attempt>> = Object.fromEntries(
  (['cut', 'shorter', 'zone'] as const).map((kind) => [
    kind,
    unassigning(`with the current version ${near[kind][0]}`, nearTo(kind)),
  ]),
)

export const unassigns = {
  ...wrongUnassigns,
  garbage: unassigning('with an If-Match that is not a timestamp', () => 'not-a-version'),
  star: unassigning('with If-Match: *', () => '*'),
  absent: unassigning('without If-Match', () => undefined),
}

/** What the task shows already: the version counts even if nothing changes. */
export const repeating: Attempt = {
  what: 'that repeats the assignment, with an If-Match one year before the current version',
  on: 'assigned',
  fate: 'not carried out',
  body: (valid, _, before) => ({ update: { ...valid, ...before } }),
  version: wrongVersions.older,
}

/** The assignee may not use a wrong version either. */
export const byAssignee: Attempt = {
  what: 'in the name of the assignee, with an If-Match one year before the current version',
  on: 'assigned',
  fate: 'not carried out',
  body: (valid, _, before) => ({
    update: { ...valid, ...(before ? { assigned_by_id: before.assigned_to_id } : {}) },
  }),
  version: wrongVersions.older,
}

/** A database that compares by LIKE would find the task, and unassign it. */
const likeAnId = 'a UUID with _ for its last letter'

/** Valid updates, each to an id that is not a UUID; one of them unassigns. */
export const updatesOfNoUuid = Object.entries(malformedIds).map(([kind, id]): Attempt => {
  const what = `of an id that is not a UUID (${kind})`
  return kind === likeAnId
    ? { what: `that unassigns, ${what}`, id, on: 'assigned', body: asUnassign }
    : { what, id, on: 'any', body: asUpdate }
})

batched('updates with another version or id than that of the task', [
  ...Object.values(nearUpdates),
  ...Object.values(nearUnassigns),
  ...Object.values(unassigns),
  ...[repeating, byAssignee, begun],
  ...updatesOfNoUuid,
])

/** A lendable task, another task, and an update of the first with the other's version. */
export async function fetchOtherVersion(
  { tasks }: KnownIds,
  readings: readonly Reading[],
  service: Service,
): Promise<{ on: string; other: string; update: Attempt }> {
  const [on] = tasks.filter(({ lendable }) => lendable)
  // A task that is only read shows the same during the whole run.
  const still = tasks.find(({ lendable, heldBy }) => !lendable && heldBy === undefined)
  const other = still ?? tasks.findLast(({ id }) => id !== on?.id)
  if (!on || !other)
    throw new NotDecidable(
      'setting',
      'set TASK_IDS to two or more tasks: the version of another one is needed',
    )
  const read = still && readings.find(({ id }) => isSameId(id, still.id))
  const answer = read?.answer ?? (await service.readTask(other.id))
  const { updated_at } = taskIn(answer)
  const update = withVersion('whose If-Match is the version of another task', () => updated_at)
  return { on: on.id, other: other.id, update }
}
