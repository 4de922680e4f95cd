import { describe, expect, test } from 'vitest'
import { createService, type Service } from '../../reference/service.ts'
import type { Task } from '../../reference/world/world.ts'
import { csv, events, ids, idsOf, update, smallWorld as world } from './exported.ts'

describe('the trail', () => {
  const task = world.tasks.find(({ assignment }) => assignment === null) as Task
  const [actor, user] = idsOf(world.users) as [string, string]
  const assign = (comment: string) => ({
    update: {
      assigned_by_id: actor,
      assigned_to_id: user,
      assigned_to_type: 'USER',
      assignment_comment: comment,
    },
  })
  const off = { unassign: { assigned_by_id: actor, assignment_comment: 'off' } }
  const walk = async (through: Service) => {
    let version = task.updated_at
    for (const body of [assign('one'), assign('two'), off]) {
      version = ((await (await update(through, task, version, body)).json()) as Task).updated_at
    }
    await update(through, task, 'stale', assign('stale'))
  }
  const added = async (through: Service, key = 'task_id', id = task.id) => {
    const before = new Set(idsOf(events))
    const rows = await csv({ [`metadata[${key}]`]: id }, through)
    return rows.filter(({ id }) => !before.has(id))
  }

  test('has an event for each change, with its comment, and none for a refusal', async () => {
    const changed = createService({ world })
    await walk(changed)
    for (const [key, id] of [
      ['task_id', task.id],
      ['entity_id', task.entity_id],
    ] as const) {
      const rows = await added(changed, key, id)
      expect(rows.map(({ sub_type, comment }) => [sub_type, comment])).toEqual([
        ['assigned', 'one'],
        ['reassigned', 'two'],
        ['unassigned', 'off'],
      ])
      expect(new Set(rows.map((row) => row.auditee_id))).toEqual(new Set([actor]))
    }
    const times = (await added(changed)).map(({ time }) => time)
    expect(await added(changed)).toHaveLength(times.length)
    const instant = { range_start: times[0] as string, range_end: times[0] as string }
    expect((await ids(instant, changed)).length).toBeGreaterThan(0)
  })
})
