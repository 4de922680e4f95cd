import { timestampAt } from '../world/versions.ts'
import { fakerOf, type World } from '../world/world.ts'

/** Comments as people write them, with everything that a file format may handle badly. */
export const comments = [
  'Please review before Friday',
  'Documents received, complete, and filed',
  'Customer said: "call me back", twice',
  'First line\nsecond line',
  'Carriage return\r\nand "quotes", commas;\tand a tab',
  '=SUM(A1:A9)',
  '+49 30 1234567',
  '-1 risk point',
  '@compliance please check',
  'Überprüfung abgeschlossen – Straße fehlt',
  'Vérifié à l’étranger, reçu « copie »',
  'Εκκρεμεί έλεγχος ταυτότητας',
  'Проверка документов завершена',
  '書類を確認しました',
  '고객 확인 완료',
  'ตรวจสอบแล้ว',
  'दस्तावेज़ जाँचे गए',
  'تمت مراجعة المستندات',
  'הבדיקה הושלמה',
  'Approved 👍🏽 by the family office 👨‍👩‍👧‍👦',
  'Price < 100 & > 50; see {"ref": "A-1"}',
  '  leading and trailing spaces  ',
  "O'Brien; Smith | Jones",
  'Zażółć gęślą jaźń',
  'e\u0301 and é are one letter',
  'A long note. '.repeat(24).trim(),
  '""',
  ',',
]

/** Words that tag events of one type. */
export const tags = ['vip', 'pep', 'high-risk', 'renewal', 'watchlist, EU', 'Überprüfung']

/** The kinds of events: type, subtype, source and metadata. */
export const kinds = {
  assessment: {
    subTypes: ['updated', 'created', 'completed'],
    source: 'assessment_service',
    metadata: ['entity_id', 'assessment_id', 'workflow_instance_id', 'workflow_step', 'tag'],
  },
  task: {
    subTypes: ['updated', 'assigned', 'created', 'unassigned', 'reassigned', 'completed'],
    source: 'task_platform',
    metadata: [
      'entity_id',
      'assessment_id',
      'task_id',
      'workflow_instance_id',
      'workflow_step',
      'tag',
    ],
  },
  entity: {
    subTypes: ['updated', 'created', 'viewed'],
    source: 'entity_service',
    metadata: ['entity_id', 'cache_id', 'tag'],
  },
  screening: {
    subTypes: ['created', 'updated', 'viewed'],
    source: 'screening_service',
    metadata: [
      'entity_id',
      'assessment_id',
      'screening_application_id',
      'screening_config_id',
      'match_id',
      'cache_id',
    ],
  },
  inquiry: {
    subTypes: ['created', 'updated', 'completed'],
    source: 'inquiry_service',
    metadata: ['entity_id', 'task_id', 'inquiry_id', 'match_id', 'tag'],
  },
} as const

export const metadataKeys = [
  'entity_id',
  'assessment_id',
  'task_id',
  'workflow_instance_id',
  'screening_application_id',
  'screening_config_id',
  'match_id',
  'inquiry_id',
  'tag',
  'cache_id',
  'workflow_step',
] as const

export type MetadataKey = (typeof metadataKeys)[number]

export const isMetadataKey = (name: string): name is MetadataKey =>
  (metadataKeys as readonly string[]).includes(name)

/** One entry of the audit trail. */
export type AuditEvent = {
  id: string
  /** canonical */
  time: string
  /** of the user who caused it */
  auditee_id: string
  event_type: string
  sub_type: string
  system_source: string
  description: string
  /** empty if there is none */
  comment: string
  metadata: Partial<Record<MetadataKey, string>>
}

// After the world's tasks were created, across three changes of daylight saving.
const first = Date.parse('2024-06-01T00:00:00Z')
const last = Date.parse('2025-12-31T23:59:59Z')

/** Makes the initial events of a world, oldest first; deterministic by seed. */
export function makeEvents(world: World): AuditEvent[] {
  const make = eventMaker(world)
  const step = (last - first) / world.eventCount
  return Array.from({ length: world.eventCount }, (_, n) =>
    make((random) => first + Math.floor((n + random()) * step)),
  )
}

/** Creates a maker of further events, each with a given time. */
export function eventMaker(world: World, further = 0) {
  const faker = fakerOf(world.seed + further)
  const random = () => faker.number.float()
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const ids = (count: number) => Array.from({ length: count }, () => faker.string.uuid())
  const pools = {
    screening_application_id: ids(8),
    screening_config_id: ids(4),
    match_id: ids(60),
    inquiry_id: ids(40),
    cache_id: ids(20),
    tag: tags,
  }
  const types = Object.keys(kinds) as (keyof typeof kinds)[]

  const metadataOf = (keys: readonly MetadataKey[]): AuditEvent['metadata'] => {
    const { id, step_name, ...task } = pick(world.tasks)
    const known = { ...task, task_id: id, workflow_step: step_name }
    const valueFor = (key: MetadataKey) =>
      key in pools ? pick(pools[key as Pooled]) : known[key as PlainKey]
    // The entity always; most of the others, so that keys overlap in part.
    const kept = keys.filter((key) => key === 'entity_id' || random() < 0.8)
    return Object.fromEntries(kept.map((key) => [key, valueFor(key)]))
  }
  type Pooled = keyof typeof pools
  type PlainKey = Exclude<MetadataKey, Pooled>

  return (timeBy: (random: () => number) => number): AuditEvent => {
    const event_type = pick(types)
    const { subTypes, source, metadata } = kinds[event_type]
    const sub_type = pick(subTypes)
    const user = pick(world.users)
    return {
      id: faker.string.uuid(),
      time: timestampAt(timeBy(random)),
      auditee_id: user.id,
      event_type,
      sub_type,
      // Sometimes the other system does what people do to tasks and assessments.
      system_source: random() < 0.9 ? source : 'task_platform',
      description: `${event_type} ${sub_type} by ${user.name}`,
      comment: random() < 0.5 ? pick(comments) : '',
      metadata: metadataOf(metadata),
    }
  }
}
