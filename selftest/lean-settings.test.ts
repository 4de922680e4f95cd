import { describe, expect, test } from 'vitest'
import { makeWorld, type World } from '../reference/world.ts'
import { runOnTheWire } from './on-the-wire.ts'
import { brokenIn } from './prove.ts'

const seeded = makeWorld(1)
const [, user] = seeded.users
const [task] = seeded.tasks

type Lending = { name: string; env?: Record<string, string>; world?: World }

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

const little: (Lending & { undecided: RegExp })[] = [
  {
    name: 'one user and no team',
    env: { USER_IDS: String(user?.id), TEAM_IDS: '' },
    undecided: /^(assign\.(.*team.*|user-to-user|comment\..*|not-.*|.*)|version\..*)$/,
  },
  {
    name: 'one user and one team',
    env: { USER_IDS: String(user?.id), TEAM_IDS: String(seeded.teams[0]?.id) },
    undecided: /^assign\.(user-to-user|team-to-team|comment\.(plain|not-inherited))$/,
  },
  {
    name: 'two users and no team',
    env: {
      USER_IDS: seeded.users
        .slice(1, 3)
        .map(({ id }) => id)
        .join(),
      TEAM_IDS: '',
    },
    undecided: /^assign\.(.*team.*|comment\.(null|not-inherited|unassign-without))$/,
  },
  {
    name: 'teams alone',
    env: { USER_IDS: '' },
    undecided: /./,
  },
]

describe.concurrent('with what somebody lends', () => {
  test.each(everything)('$name: everything is decided', async (lending) => {
    const { checked, decided } = await updates(lending)
    expect(brokenIn(checked), checked.told).toEqual([])
    expect(checked.exitCode, checked.told).toBe(0)
    expect(decided, checked.told).toEqual(checked.report?.clauses.map(({ id }) => id))
  })

  test.each(little)('$name: what needs more is skipped', async ({ undecided, ...lending }) => {
    const { checked, decided } = await updates(lending)
    expect(brokenIn(checked), checked.told).toEqual([])
    expect(checked.exitCode, checked.told).toBe(0)
    const open = (checked.report?.clauses ?? [])
      .map(({ id }) => id)
      .filter((id) => !decided.includes(id))
    expect(
      open.filter((id) => !undecided.test(id)),
      checked.told,
    ).toEqual([])
  })
})
