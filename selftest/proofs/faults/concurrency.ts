import { setTimeout as sleep } from 'node:timers/promises'
import type { Update } from '../../../reference/calls/call.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import { allAssignedTo, lent } from '../bent/around.ts'
import { type Fault, fault, faultsOf, maybe } from '../fault.ts'

type Compared = Parameters<Stated['versionMatches']>[0]

/**
 * Versions that count up within one second, so that it does not depend on the moment of a run
 * which of them lie in the same.
 */
const withinOneSecond: Stated['versionAfter'] = ({ task }) => {
  const next = (Number(task.updated_at.slice(20, 23)) + 1) % 1000
  return `${task.updated_at.slice(0, 20)}${String(next).padStart(3, '0')}000000Z`
}

export const takesToo = (isSo: (compared: Compared) => boolean): Partial<Stated> => ({
  versionMatches: (compared) => compared.given === compared.current || isSo(compared),
})
export const milliseconds = (text: string) => Date.parse(text)
export const isYearBefore = ({ given, current }: Compared) =>
  given.slice(4) === current.slice(4) && given < current
const kindOf = ({ op, task }: Compared | Update) =>
  op === 'assign.unassign' ? 'unassign' : task.assignment ? 'reassign' : 'assign'

export const besides = 'version.wrong.cut version.wrong.shorter version.wrong.zone'
export const wrongUnassign = 'version.wrong.unassign'

const wrongOnes = `version.wrong.near version.wrong.older version.wrong.future version.star
  version.wrong.other-task version.wrong.garbage.status version.wrong.finer version.wrong.padded
  ${besides}`
// Of two versions that differ in the last digit, or are of two tasks, either may be the older.
export const nearOnes = 'version.wrong.near version.wrong.other-task'
export const races = 'version.one-winner version.history version.model'

const everyMismatch = `version.stale.* ${wrongOnes} ${wrongUnassign} version.one-winner version.model`

const isStale = (compared: Compared) =>
  milliseconds(compared.given) < milliseconds(compared.current) && !isYearBefore(compared)

function refusedOnce(): Partial<Stated> {
  const owed = new Set<string>()
  return {
    versionMatches: ({ id, given, current }) => given === current && !owed.delete(id),
    effectOfRefusal: ({ op, id, reason }) => {
      if (op === 'assign.unassign' && reason === 'version mismatch') owed.add(id)
      return 'none'
    },
  }
}

/** What must not begin while an unassign is under way is refused, as it should be. */
function unassignKeptApart(other: (compared: Compared) => boolean): Partial<Stated> {
  const underWay = new Map<string, number>()
  const count = (id: string, by: number) => underWay.set(id, (underWay.get(id) ?? 0) + by)
  return {
    versionMatches: (compared) =>
      compared.given === compared.current && !(underWay.get(compared.id) && other(compared)),
    betweenCheckAndWrite: ({ op, id }) => {
      if (op !== 'assign.unassign') return undefined
      count(id, 1)
      return sleep(5).then(() => count(id, -1))
    },
  }
}

/** Updates with the current version that are under way at one moment are refused, each for another. */
export function refusingAllAtOnce(): Pick<Stated, 'betweenCheckAndWrite' | 'losesItsTurn'> {
  const underWay = new Map<string, { count: number; met: boolean }>()
  return {
    betweenCheckAndWrite: ({ id }) => {
      const here = underWay.get(id) ?? { count: 0, met: false }
      here.count += 1
      here.met ||= here.count > 1
      underWay.set(id, here)
      return sleep(30)
    },
    losesItsTurn: ({ id }) => {
      const here = underWay.get(id)
      if (!here) return false
      here.count -= 1
      if (here.count === 0) underWay.delete(id)
      return here.met
    },
  }
}

/**
 * Who unassigns locks a task for others that unassign, and who assigns locks it for all: what assigns is
 * carried out beside what unassigns, if it comes second.
 */
function lockingUnlike(): Pick<Stated, 'betweenCheckAndWrite' | 'losesItsTurn'> {
  const held = new Map<string, Set<Update['op']>>()
  const losers = new WeakSet<Update['sent']>()
  return {
    betweenCheckAndWrite: async ({ id, op, sent }) => {
      const here = held.get(id) ?? new Set()
      if (here.has(op) || here.has('assign.update')) {
        losers.add(sent)
        return
      }
      held.set(id, here.add(op))
      await sleep(30)
      here.delete(op)
    },
    losesItsTurn: ({ sent }) => losers.has(sent),
  }
}

/** Those of a race are numbered. */
export const isOfRace = ({ sent }: Pick<Update, 'sent'>): boolean =>
  / [\da-f]{12} \d$/.test(sent.assignment_comment ?? '')

/** Those of several clients name the client, and count its updates and attempts. */
const isFirstOfMany = ({ sent }: Pick<Update, 'sent'>): boolean =>
  / 1\.1\.\d+$/.test(sent.assignment_comment ?? '')

export const faults = [
  ...(['assign', 'reassign', 'unassign'] as const).flatMap((kind): Fault[] => [
    fault(`a stale If-Match is taken on ${kind}`, {
      ...takesToo((compared) => kindOf(compared) === kind && isStale(compared)),
      breaks: `version.stale.${kind} ?version.wrong.garbage
      ${maybe(races, nearOnes, besides, wrongUnassign)}`,
    }),
    fault(`a stale If-Match is answered 412 on ${kind}`, {
      mismatchStatus: (compared) => (kindOf(compared) === kind ? 412 : 409),
      breaks: `version.stale.${kind} ${kind === 'unassign' ? wrongUnassign : ''}
      ${maybe(races, wrongOnes)}`,
    }),
  ]),
  ...(['assign.unassign', 'assign.update'] as const).map((kind) =>
    fault(`a stale If-Match is taken for a team’s task on ${kind}`, {
      ...takesToo(
        (compared) =>
          compared.op === kind &&
          compared.task.assignment?.assigned_to_type === 'TEAM' &&
          isStale(compared),
      ),
      breaks: `version.model ${maybe(races, nearOnes)} ?version.stale.*`,
    }),
  ),
  ...faultsOf('version.one-winner version.history', 'betweenCheckAndWrite', {
    'another update can come between comparing the version and storing the change': () => sleep(5),
    'simultaneous reassignments are not kept apart': ({ task }) =>
      task.assignment ? sleep(5) : undefined,
  }),
  ...faultsOf(`version.retry ${maybe(races)}`, {
    'after a 409 to an unassign the latest version is refused once': refusedOnce(),
  }),
  ...faultsOf(
    `version.one-winner version.history assign.new-version ?version.model
        ?assign.new-version.same-assignee ?audit.as-often`,
    { 'no update changes the version': { versionAfter: ({ task }) => task.updated_at } },
  ),
  ...faultsOf({
    'a version mismatch is answered 412': { mismatchStatus: () => 412, breaks: everyMismatch },
    'a version mismatch is answered 400': { mismatchStatus: () => 400, breaks: everyMismatch },
    'the version is not compared': {
      versionMatches: () => true,
      breaks: `${everyMismatch} version.wrong.garbage version.history ?version.wrong.repeated`,
    },
    'versions are compared to the second': {
      versionAfter: withinOneSecond,
      ...takesToo(({ given, current }) => given.slice(0, 19) === current.slice(0, 19)),
      breaks: `version.stale.* version.wrong.near version.wrong.cut version.wrong.shorter
        version.wrong.finer ${wrongUnassign} ${races} ${maybe(besides)}`,
    },
    'older versions are taken': {
      ...takesToo(({ given, current }) => milliseconds(given) < milliseconds(current)),
      breaks: `version.stale.* version.wrong.older ${races} ?version.wrong.repeated
        ?version.wrong.garbage* ${maybe(nearOnes, besides, wrongUnassign)}`,
    },
    'an update without If-Match is refused, and carried out all the same': {
      effectOfRefusal: ({ reason }) => (reason === 'no if-match' ? 'carried out' : 'none'),
      breaks: 'version.required version.required.unassign',
    },
    'an update with a stale version is refused, and carried out all the same': {
      effectOfRefusal: ({ reason }) => (reason === 'version mismatch' ? 'carried out' : 'none'),
      breaks: `version.refused-changes-nothing version.wrong.garbage version.one-winner
        ?version.history ?version.model`,
    },
    'a 409 to an unassign unassigns all the same': {
      effectOfRefusal: ({ op, reason }) =>
        op === 'assign.unassign' && reason === 'version mismatch' ? 'carried out' : 'none',
      breaks: `version.refused-changes-nothing ${maybe(races)} ?version.wrong.*`,
    },
    'a 409 renews the version': {
      effectOfRefusal: ({ reason }) => (reason === 'version mismatch' ? 'touched' : 'none'),
      breaks: 'version.refused-changes-nothing.version',
    },
    'an unassign with an emoji in its comment is answered 500': {
      commentIsTaken: ({ op, comment }) =>
        op !== 'assign.unassign' || !/\p{Emoji_Presentation}/u.test(comment),
      invalidBodyStatus: ({ flaw }) => (flaw === 'comment' ? 500 : 422),
      breaks: 'version.model',
    },
    'simultaneous assignments to teams are not kept apart': {
      betweenCheckAndWrite: ({ sent }) => (sent.assigned_to_type === 'TEAM' ? sleep(5) : undefined),
      breaks: 'version.one-winner ?version.history',
    },
    'an assignment to a team that has just lost a race is carried out a while later': {
      effectOfRefusal: ({ reason, sent }) =>
        reason === 'version mismatch' && sent.assigned_to_type === 'TEAM' && isOfRace({ sent })
          ? 600
          : 'none',
      env: { SETTLE_MS: '2000' },
      breaks: 'version.one-winner ?version.refused-changes-nothing',
    },
    'an update to a team with a stale version is refused, and carried out all the same': {
      effectOfRefusal: ({ reason, sent }) =>
        reason === 'version mismatch' && sent.assigned_to_type === 'TEAM' ? 'carried out' : 'none',
      breaks: `version.refused-changes-nothing ?version.model ?version.wrong.garbage
        ?version.one-winner`,
    },
    'a team’s task is not reassigned to a user': {
      surroundings: lent((all) => all, {
        change: allAssignedTo('TEAM'),
        stated: {
          transitionRefusal: ({ from, to }) => (from === 'TEAM' && to === 'USER' ? 422 : undefined),
        },
      }),
      breaks: 'version.model assign.team-to-user',
    },
    'an update that names nobody is accepted, and its task has no member assignment any more': {
      requiredFields: () => [],
      assigned: (update) =>
        update.sent.assigned_to_id === undefined ? (undefined as never) : stated.assigned(update),
      breaks: `version.model task.read.fields ?assign.required.* ?audit.every-task
        ?task.read.assignment`,
    },
    'versions end in a letter that no header holds': {
      timestamp: ({ field, value }) =>
        field === 'updated_at' ? value.replace('Z', '\uff3a') : value,
      breaks: 'task.read.timestamps',
    },
    'of many clients’ updates one leaves the version as it was': {
      versionAfter: ({ sent, task, fresh }) => (isFirstOfMany({ sent }) ? task.updated_at : fresh),
      breaks: 'version.history assign.new-version',
    },
    'no read shows an update before SETTLE_MS is over': {
      readLag: () => 1000,
      env: { SETTLE_MS: '300' },
      breaks: 'assign.persisted ?assign.* ?version.*',
    },
  }),
  ...faultsOf('version.one-winner', {
    'simultaneous unassigns are not kept apart': {
      betweenCheckAndWrite: ({ op }) => (op === 'assign.unassign' ? sleep(5) : undefined),
    },
    'simultaneous unassigns are kept apart from assigns, and not from each other': {
      ...unassignKeptApart(({ op }) => op === 'assign.update'),
    },
    'simultaneous unassigns are kept apart from each other, and not from assigns': {
      ...unassignKeptApart(({ op }) => op === 'assign.unassign'),
    },
    'of simultaneous updates none is accepted': refusingAllAtOnce(),
    'an assign is carried out while an unassign is, with the same version': lockingUnlike(),
  }),
]
