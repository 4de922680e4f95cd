// Audit events: seeding, recording and filtering.
import { serviceNow } from './clock.ts'
import { type AuditEvent, METADATA_KEYS, type MetadataKey, type World } from './world.ts'

export const ARRAY_FILTERS = ['auditee_id', 'event_type', 'sub_type', 'system_source'] as const
export type ArrayFilter = (typeof ARRAY_FILTERS)[number]

export type Filters = {
  arrays: Partial<Record<ArrayFilter, string[]>>
  metadata: Partial<Record<MetadataKey, string>>
  from: number | null
  to: number | null
}

const RECORD_AFTER_MS = 300
// More than a PDF may hold, so that an unfiltered PDF export is refused as the contract says.
const SEEDED = 5_400
const SEEDED_DAYS = 430

/** Legal: no sentence says that an event is in the record by the time of the answer. */
export function record(world: World, event: Omit<AuditEvent, 'at'>): void {
  const at = serviceNow()
  world.later(RECORD_AFTER_MS, () => world.events.push({ ...event, at }))
}

export function matching(world: World, filters: Filters): AuditEvent[] {
  return world.events
    .filter((event) => {
      if (filters.from !== null && event.at < filters.from) return false
      if (filters.to !== null && event.at > filters.to) return false
      for (const name of ARRAY_FILTERS) {
        const wanted = filters.arrays[name]
        if (wanted !== undefined && !wanted.some((value) => same(value, event[name]))) return false
      }
      return METADATA_KEYS.every((key) => {
        const wanted = filters.metadata[key]
        return wanted === undefined || same(wanted, event.metadata[key])
      })
    })
    .sort(byScatter)
}

/** Ids are compared without regard to letter case, as UUIDs are; other words are not. */
function same(wanted: string, held: string | undefined): boolean {
  if (held === undefined) return false
  return wanted === held || (isId(held) && wanted.toLowerCase() === held.toLowerCase())
}

export function isId(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
}

// Legal: the order of the events in the file is not mentioned. This one looks like none.
function byScatter(left: AuditEvent, right: AuditEvent): number {
  return ((left.at * 7919) % 10_007) - ((right.at * 7919) % 10_007)
}

const KINDS = [
  ['assessment', 'created', 'assessment_service'],
  ['assessment', 'updated', 'assessment_service'],
  ['screening.match', 'Dismissed', 'screening-hub'],
  ['inquiry', 'sent', 'inquiry service (EU)'],
  ['task', 'updated', 'task_platform'],
  ['cache', 'evicted', 'CACHE'],
] as const

export function seedEvents(world: World): void {
  const people = [world.actorId, ...world.userIds, world.apiUserId]
  const tasks = [...world.tasks.values()].map((task) => task.versions[0]?.body)
  const now = serviceNow()
  for (let index = 0; index < SEEDED; index += 1) {
    const kind = KINDS[index % KINDS.length] ?? KINDS[0]
    const task = tasks[index % tasks.length]
    const ids: Record<MetadataKey, string> = {
      entity_id: task?.entity_id ?? '',
      assessment_id: task?.assessment_id ?? '',
      task_id: task?.id ?? '',
      workflow_instance_id: task?.workflow_instance_id ?? '',
      screening_application_id: derived(world.apiUserId, index % 7),
      screening_config_id: derived(world.actorId, index % 5),
      match_id: derived(world.apiUserId, index),
      inquiry_id: derived(world.actorId, index),
      tag: ['vip', 'Größe; "L"', 'a,b', '=1+1'][index % 4] ?? 'vip',
      cache_id: `cache/${index % 11}`,
      workflow_step: ['Step ⅱ – review', 'intake'][index % 2] ?? 'intake',
    }
    const keys = METADATA_KEYS.filter((_, at) => (index + at) % 4 === 0 || at === index % 11)
    const assigned = task?.assignment != null && index < tasks.length
    world.events.push({
      // spread over the days without a rhythm, the latest an hour ago
      at: now - 3_600_000 - Math.floor(((index + world.random()) / SEEDED) * SEEDED_DAYS * 864e5),
      auditee_id: people[index % people.length] ?? world.actorId,
      event_type: assigned ? 'task_assignment' : kind[0],
      sub_type: assigned ? 'assigned' : kind[1],
      system_source: assigned ? 'task_platform' : kind[2],
      metadata: Object.fromEntries(keys.map((key) => [key, ids[key]])),
      comment: null,
    })
  }
}

function derived(id: string, index: number): string {
  return id.slice(0, 24) + index.toString(16).padStart(12, '0')
}
