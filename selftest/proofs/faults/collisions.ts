import { setTimeout as sleep } from 'node:timers/promises'
import type { Update } from '../../../reference/calls/call.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import type { World } from '../../../reference/world/world.ts'
import { lent } from '../bent/lent.ts'
import { faultsBreaking, faultsNamed } from '../fault.ts'

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

/** Every task, so that nobody wins where users cannot have it. */
function assignToTeams({ tasks, users, teams }: World): void {
  const [by] = users
  const [to] = teams
  if (by && to)
    for (const task of tasks)
      task.assignment = {
        assigned_by_id: by.id,
        assigned_to_id: to.id,
        assigned_to_type: 'TEAM',
        assignment_comment: null,
      }
}

/** Updates that are refused where none was to be, and carried out where they were. */
export const collisions = [
  ...faultsBreaking('version.one-winner', {
    'of simultaneous updates none is accepted': { ...refusingAllAtOnce() },
    'an assign is carried out while an unassign is, with the same version': { ...lockingUnlike() },
    'an assignment to a team that has just lost a race is carried out a while later': {
      effectOfRefusal: ({ reason, sent }) =>
        reason === 'version mismatch' && sent.assigned_to_type === 'TEAM' && isOfRace({ sent })
          ? 600
          : 'none',
      // It is looked for as long as this, however quick the run is.
      env: { SETTLE_MS: '2000' },
      mayBreak: ['version.refused-changes-nothing'],
    },
  }),
  ...faultsNamed({
    'an update to a team with a stale version is refused, and carried out all the same': {
      effectOfRefusal: ({ reason, sent }) =>
        reason === 'version mismatch' && sent.assigned_to_type === 'TEAM' ? 'carried out' : 'none',
      breaks: ['version.refused-changes-nothing'],
      mayBreak: ['version.model', 'version.wrong.garbage', 'version.one-winner'],
    },
    'a team’s task is not reassigned to a user': {
      surroundings: lent((all) => all, assignToTeams, {
        stated: {
          transitionRefusal: ({ from, to }) => (from === 'TEAM' && to === 'USER' ? 422 : undefined),
        },
      }),
      breaks: ['version.model', 'assign.team-to-user'],
    },
    'an update that names nobody is accepted, and its task has no member assignment any more': {
      requiredFields: () => [],
      assigned: (update) =>
        update.sent.assigned_to_id === undefined ? (undefined as never) : stated.assigned(update),
      breaks: ['version.model', 'task.read.fields'],
      mayBreak: ['assign.required.*', 'audit.every-task', 'task.read.assignment'],
    },
    'versions end in a letter that no header holds': {
      timestamp: ({ field, value }) =>
        field === 'updated_at' ? value.replace('Z', '\uff3a') : value,
      breaks: ['task.read.timestamps'],
    },
    'of many clients’ updates one leaves the version as it was': {
      versionAfter: ({ sent, task, fresh }) => (isFirstOfMany({ sent }) ? task.updated_at : fresh),
      breaks: ['version.history', 'assign.new-version'],
    },
    'no update changes the version': {
      versionAfter: ({ task }) => task.updated_at,
      breaks: ['version.one-winner', 'version.history', 'assign.new-version'],
      mayBreak: ['version.model', 'assign.new-version.same-assignee', 'audit.as-often'],
    },
    'no read shows an update before SETTLE_MS is over': {
      readLag: () => 1000,
      env: { SETTLE_MS: '300' },
      // Beside all others so much time goes by that the version is seen to change after all.
      breaks: ['assign.persisted'],
      mayBreak: ['assign.*', 'version.*'],
    },
  }),
]
