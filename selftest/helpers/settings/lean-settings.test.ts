import { describe, expect, test } from 'vitest'
import { matchesAny } from '../../../engine/glob.ts'
import { makeWorld, type World } from '../../../reference/world/world.ts'
import { runOnTheWire } from '../../program/counted-run.ts'
import { brokenIn } from '../../proofs/prove.ts'

const seeded = makeWorld(1)
const [, user] = seeded.users
const [task] = seeded.tasks

type Lending = { name: string; env?: Record<string, string | undefined>; world?: World }

const updates = async ({ env, world }: Omit<Lending, 'name'>) => {
  const checked = await runOnTheWire(['--clauses', 'assign.*,version.*'], env, world)
  const decided = (checked.report?.clauses ?? [])
    .filter(({ verdict }) => verdict !== 'skip' && verdict !== 'inconclusive')
    .map(({ id }) => id)
  return { checked, decided }
}

const assignedTo = (assignment: (n: number) => World['tasks'][number]['assignment']): World => ({
  ...seeded,
  tasks: seeded.tasks.map((each, n) => ({ ...each, assignment: assignment(n) })),
})
const to = (id: string | undefined, type: string) => ({
  assigned_by_id: String(seeded.users[7]?.id),
  assigned_to_id: String(id),
  assigned_to_type: type,
  assignment_comment: 'as it was',
})

const everything: Lending[] = [
  { name: 'one task', env: { TASK_IDS: String(task?.id) } },
  { name: 'tasks that are all unassigned', world: assignedTo(() => null) },
  { name: 'tasks that all are of one user', world: assignedTo(() => to(user?.id, 'USER')) },
  {
    name: 'tasks that all are of teams',
    world: assignedTo((n) => to(seeded.teams[n % 3]?.id, 'TEAM')),
  },
  {
    name: 'one task, one at a time',
    env: { TASK_IDS: String(seeded.tasks[1]?.id), CONCURRENCY: '2' },
  },
]

const [one, ...others] = seeded.users.slice(1, 3).map(({ id }) => id)
const withOneOfEach = [
  'assign.by-another',
  'assign.user-to-user',
  'assign.team-to-team',
  'assign.comment.plain',
  'assign.comment.not-inherited',
]
const withoutTeams = [
  'assign.user-to-team',
  'assign.team-to-team',
  'assign.team-to-user',
  'assign.unassigned-to-team',
  'assign.unassign-team',
  'assign.comment.null',
  'assign.comment.unassign-without',
  'assign.comment.not-inherited',
]

const little: (Lending & { skips?: string[]; decides?: string[] })[] = [
  {
    name: 'one user and one team',
    env: { USER_IDS: String(one), TEAM_IDS: String(seeded.teams[0]?.id) },
    skips: withOneOfEach,
  },
  {
    name: 'two users and no team',
    env: { USER_IDS: [one, ...others].join(), TEAM_IDS: undefined },
    skips: withoutTeams,
  },
  {
    name: 'one user and no team',
    env: { USER_IDS: String(one), TEAM_IDS: undefined },
    decides: [
      'assign.unassigned-to-user',
      'assign.unassign-user',
      'assign.comment.omitted',
      'assign.comment.unassign-with',
      'assign.fields-as-given',
      'assign.only-*',
      'assign.not-found.*',
      'version.stale.*',
      'version.one-winner',
      'version.history',
      'version.model',
    ],
  },
  {
    name: 'teams alone',
    env: { USER_IDS: undefined },
    decides: ['assign.unassigned-to-team', 'assign.team-to-team', 'assign.unassign-team'],
  },
]

describe.concurrent('with what somebody lends', () => {
  test.each(everything)('$name: everything is decided', async (lending) => {
    const { checked, decided } = await updates(lending)
    expect(brokenIn(checked), checked.output).toEqual([])
    expect(checked.exitCode, checked.output).toBe(0)
    expect(decided, checked.output).toEqual(checked.report?.clauses.map(({ id }) => id))
  })

  test.each(little)('$name: what needs more is skipped', async ({ skips, decides, ...lending }) => {
    const { checked, decided } = await updates(lending)
    expect(brokenIn(checked), checked.output).toEqual([])
    expect(checked.exitCode, checked.output).toBe(0)
    const ids = (checked.report?.clauses ?? []).map(({ id }) => id)
    const open = ids.filter((id) => !decided.includes(id))
    if (skips) expect(open.sort(), checked.output).toEqual(skips.sort())
    if (decides)
      expect(
        open.filter((id) => matchesAny(id, decides)),
        checked.output,
      ).toEqual([])
  })
})
