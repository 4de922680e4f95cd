import type { Faker } from '@faker-js/faker'
import { createStreams, rowMaker, type Streams, type Table } from '../world/streams.ts'
import { timestampAt } from '../world/versions.ts'
import type { World } from '../world/world.ts'
import { keys, keysInTurn, type Values } from './event-keys.ts'
import { type AuditEvent, type MetadataKey, metadataKeys, metadataOfTask } from './events.ts'

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

// After the world's tasks were created, across three changes of daylight saving.
const first = Date.parse('2024-06-01T00:00:00Z')
const last = Date.parse('2025-12-31T23:59:59Z')

/** So many events a service makes by itself: more than a PDF may hold. */
export const eventsBeyond = (pdfLimit: number): number => Math.round(pdfLimit * 1.32)

/** The initial events of a world, oldest first; deterministic by seed. */
export function makeEvents(world: World, count: number): AuditEvent[] {
  const make = eventMaker(world)
  const step = (last - first) / count
  return Array.from({ length: count }, (_, n) =>
    make((random) => first + Math.floor((n + random()) * step)),
  )
}

/** Makes events one after another, each at its time. `further`: other events than the initial ones. */
export function eventMaker(world: World, further = 0): (timeBy: TimeBy) => AuditEvent {
  const streams = createStreams(world.seed + further)
  return rowMaker(eventTable(world, streams), streams)
}

type TimeBy = (random: () => number) => number

const eventTable = ({ users, tasks }: World, streams: Streams): Table<AuditEvent, TimeBy> => {
  const metadataOf = metadataMaker(tasks, streams)
  const names = new Map(users.map(({ id, name }) => [id, name]))
  return {
    name: 'event',
    fields: {
      id: (stream) => stream().string.uuid(),
      time: (stream, timeBy) => timestampAt(timeBy(() => stream().number.float())),
      auditee_id: (stream) => pick(stream(), users).id,
      event_type: (stream) => pick(stream(), Object.keys(kinds)),
      sub_type: (stream, _, { event_type }) => pick(stream(), kinds[event_type as Kind].subTypes),
      // Sometimes the other system does what people do to tasks and assessments.
      system_source: (stream, _, { event_type }) =>
        stream().number.float() < 0.9 ? kinds[event_type as Kind].source : 'task_platform',
      description: (_, __, { event_type, sub_type, auditee_id = '' }) =>
        `${event_type} ${sub_type} by ${names.get(auditee_id)}`,
      comment: (stream) => (stream().number.float() < 0.5 ? pick(stream(), comments) : ''),
      metadata: (_, __, { event_type }) => metadataOf(event_type as Kind),
    },
    inTurn: ['event_type', 'sub_type', 'auditee_id', 'id', 'time', 'system_source', 'comment'],
  }
}

/** Makes the metadata of events. A key that is not in turn has a stream of its own: adding one moves no other value. */
function metadataMaker(tasks: World['tasks'], streams: Streams) {
  const inTurn: readonly MetadataKey[] = keysInTurn
  const others = metadataKeys.filter((key) => !inTurn.includes(key))
  const streamOf = (key: MetadataKey) =>
    inTurn.includes(key) ? streams.first : streams.of(`metadata.${key}`)
  const pools = new Map(metadataKeys.map((key) => [key, poolOf(keys[key], streamOf(key))]))
  return (kind: Kind): AuditEvent['metadata'] => {
    const ofTask = metadataOfTask(pick(streams.first, tasks))
    // The entity always; most of the others, so that keys overlap in part.
    const kept = [...inTurn, ...others].filter(
      (key) =>
        keys[key].of.split(' ').includes(kind) &&
        (key === 'entity_id' || streamOf(key).number.float() < 0.8),
    )
    return Object.fromEntries(
      kept.map((key) => [key, ofTask[key] ?? pick(streamOf(key), pools.get(key) ?? [])]),
    )
  }
}

function poolOf(values: Values, stream: Faker): readonly string[] {
  if ('words' in values) return values.words
  const count = 'ids' in values ? values.ids : 0
  return Array.from({ length: count }, () => stream.string.uuid())
}

const pick = <T>(stream: Faker, list: readonly T[]): T =>
  list[Math.floor(stream.number.float() * list.length)] as T
