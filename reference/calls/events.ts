import { timestampAt } from '../world/versions.ts'
import { fakerOf, type Task, type World } from '../world/world.ts'

/** Comments as people write them, with everything that a file format may handle badly. */
const comments = [
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
const tags = ['vip', 'pep', 'high-risk', 'renewal', 'watchlist, EU', 'Überprüfung']

const kinds = {
  assessment: { subTypes: ['updated', 'created', 'completed'], source: 'assessment_service' },
  task: {
    subTypes: ['updated', 'assigned', 'created', 'unassigned', 'reassigned', 'completed'],
    source: 'task_platform',
  },
  entity: { subTypes: ['updated', 'created', 'viewed'], source: 'entity_service' },
  screening: { subTypes: ['created', 'updated', 'viewed'], source: 'screening_service' },
  inquiry: { subTypes: ['created', 'updated', 'completed'], source: 'inquiry_service' },
} as const

type Kind = keyof typeof kinds

/** Where the values of a metadata key come from: a field of a task, so many ids, or words. */
type Values = { field: keyof Task } | { ids: number } | { words: readonly string[] }

/** Each metadata key, with the kinds of events that have it; `drawn`: its turn when an event is made. */
const keys = {
  entity_id: { field: 'entity_id', of: 'assessment task entity screening inquiry', drawn: 0 },
  assessment_id: { field: 'assessment_id', of: 'assessment task screening', drawn: 1 },
  task_id: { field: 'id', of: 'task inquiry', drawn: 2 },
  workflow_instance_id: { field: 'workflow_instance_id', of: 'assessment task', drawn: 3 },
  screening_application_id: { ids: 8, of: 'screening', drawn: 5 },
  screening_config_id: { ids: 4, of: 'screening', drawn: 6 },
  match_id: { ids: 60, of: 'screening inquiry', drawn: 8 },
  inquiry_id: { ids: 40, of: 'inquiry', drawn: 7 },
  tag: { words: tags, of: 'assessment task entity inquiry', drawn: 10 },
  cache_id: { ids: 20, of: 'entity screening', drawn: 9 },
  workflow_step: { field: 'step_name', of: 'assessment task', drawn: 4 },
} as const satisfies Record<string, Values & { of: string; drawn: number }>

export const metadataKeys = Object.keys(keys) as MetadataKey[]

const inTurn = metadataKeys.toSorted((a, b) => keys[a].drawn - keys[b].drawn)

export type MetadataKey = keyof typeof keys

export const isMetadataKey = (name: string): name is MetadataKey =>
  (metadataKeys as readonly string[]).includes(name)

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

/** The initial events of a world, oldest first; deterministic by seed. */
export function makeEvents(world: World): AuditEvent[] {
  const make = eventMaker(world)
  const step = (last - first) / world.eventCount
  return Array.from({ length: world.eventCount }, (_, n) =>
    make((random) => first + Math.floor((n + random()) * step)),
  )
}

export function metadataOfTask(task: Task): AuditEvent['metadata'] {
  const shown = metadataKeys.flatMap((key) => {
    const values: Values = keys[key]
    return 'field' in values ? [[key, task[values.field]]] : []
  })
  return Object.fromEntries(shown)
}

export function eventMaker(world: World, further = 0) {
  const faker = fakerOf(world.seed + further)
  const random = () => faker.number.float()
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const pools = new Map(
    metadataKeys.map((key) => {
      const values: Values = keys[key]
      if ('words' in values) return [key, values.words]
      const count = 'ids' in values ? values.ids : 0
      return [key, Array.from({ length: count }, () => faker.string.uuid())]
    }),
  )
  const metadataOf = (kind: Kind): AuditEvent['metadata'] => {
    const ofTask = metadataOfTask(pick(world.tasks))
    // The entity always; most of the others, so that keys overlap in part.
    const kept = inTurn.filter(
      (key) => keys[key].of.split(' ').includes(kind) && (key === 'entity_id' || random() < 0.8),
    )
    return Object.fromEntries(kept.map((key) => [key, ofTask[key] ?? pick(pools.get(key) ?? [])]))
  }

  return (timeBy: (random: () => number) => number): AuditEvent => {
    const event_type = pick(Object.keys(kinds) as Kind[])
    const { subTypes, source } = kinds[event_type]
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
      metadata: metadataOf(event_type),
    }
  }
}
