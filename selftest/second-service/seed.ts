// Fills the world: people, assessments, tasks and audit events, all drawn from one seed.
import { nextVersion, serviceNow, spell } from './clock.ts'
import { seedEvents } from './events.ts'
import { quirksFor } from './quirks.ts'
import type { Assignment, TaskBody, World } from './world.ts'

/** Legal: ids are "UUID-shaped", so any hexadecimal digit may stand for version and variant. */
export function uuid(random: () => number, upper = false): string {
  const hex = (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
  const id = [hex(8), hex(4), hex(4), hex(4), hex(12)].join('-')
  return upper ? id.toUpperCase() : id
}

export function makeWorld(seed: number, arguable: boolean): World {
  const random = mulberry(seed)
  const timers = new Set<NodeJS.Timeout>()
  const userIds = [uuid(random), uuid(random, true), uuid(random)]
  const teamIds = [uuid(random, true), uuid(random)]
  const world: World = {
    random,
    arguable,
    apiKey: `odd.${uuid(random)}`,
    apiUserId: uuid(random),
    actorId: uuid(random),
    userIds,
    teams: new Map(teamIds.map((id, index) => [id, userIds.slice(index)])),
    tasks: new Map(),
    assessments: new Map(),
    taskIds: [],
    readTaskIds: [],
    assessmentIds: [],
    events: [],
    outbox: [],
    later: (ms, run) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        run()
      }, ms)
      timers.add(timer)
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer)
    },
  }
  for (const [index, outcome] of OUTCOMES.entries()) addAssessment(world, index, outcome)
  for (let index = 0; index < 15; index += 1) addTask(world, index, seed, arguable)
  seedEvents(world)
  return world
}

const NO_ERROR = { error_message: null, error_details: null, error_step: null, error_type: null }
// Legal: "Types of the error fields when they are set: not shown", and "null or value" leaves
// some of them null on a failure. At least one is always set, as error information is promised.
const OUTCOMES: [string, Record<string, unknown>][] = [
  ['Active', NO_ERROR],
  ['Cancelled', NO_ERROR],
  ['Error', { ...NO_ERROR, error_details: { attempts: [1, 2], cause: null }, error_type: 502 }],
  ['Error', { ...NO_ERROR, error_message: ['timeout', 'of the list provider'], error_step: 0 }],
  ['Error', { ...NO_ERROR, error_type: false }],
  ['Error', { error_message: '', error_details: [], error_step: {}, error_type: 'E_STEP' }],
  ['Active', NO_ERROR],
  ['Cancelled', NO_ERROR],
]
const ASSESSMENT_STAMPS = ['offset', 'week', 'seconds', 'comma', 'nano', 'basic'] as const

function addAssessment(world: World, index: number, outcome: [string, Record<string, unknown>]) {
  const id = uuid(world.random, index % 3 === 1)
  world.assessmentIds.push(id)
  world.assessments.set(id.toLowerCase(), {
    workflow_state: outcome[0],
    ...outcome[1],
    score: { value: null, bands: [{ label: 'niedrig', upTo: 3.5 }] },
    entity_id: uuid(world.random, index % 4 === 0),
    id,
    template_id: uuid(world.random),
    status_id: uuid(world.random),
    workflow_instance_id: uuid(world.random),
    institution_id: uuid(world.random),
    outcome_id: uuid(world.random, true),
    created_at: spell(
      serviceNow() - (index + 1) * 9_876_543_210,
      ASSESSMENT_STAMPS[index % ASSESSMENT_STAMPS.length] ?? 'nano',
    ),
    'x:links': [],
  })
}

function addTask(world: World, index: number, seed: number, arguable: boolean): void {
  const quirks = quirksFor(index, seed, arguable)
  const assessmentId = world.assessmentIds[index % world.assessmentIds.length] ?? ''
  const assessment = world.assessments.get(assessmentId.toLowerCase())
  if (assessment === undefined) throw new Error('a task needs its assessment')
  const id = uuid(world.random, index % 4 === 3)
  const created = serviceNow() - (index + 2) * 7_654_321_000
  const used = new Set<string>()
  const body: TaskBody = {
    status: quirks.status,
    id,
    name: index % 3 === 0 ? null : `Prüfung №${index}`,
    c_name: index % 5 === 0 ? '' : `check_${index}`,
    assessment_id: assessmentId,
    assessment_template_id: assessment.template_id,
    institution_id: assessment.institution_id,
    entity_id: assessment.entity_id,
    workflow_instance_id: String(assessment.workflow_instance_id),
    microfrontend_id: uuid(world.random, true),
    step_name: 'Step ⅱ – review',
    custom_metadata: [null, {}, { 'a.b': [1, { c: null }], '': '?' }][index % 3],
    assignment: seededAssignment(world, index),
    created_at: spell(created, quirks.createdAt),
    locked_at: spell(created + 1_234_567, quirks.lockedAt),
    updated_at: nextVersion(used, quirks.updatedAt, 3_600_000 + index),
    data_version: index % 6 === 5 ? Number.MAX_SAFE_INTEGER - 1_000_000 : index,
    _links: { self: null, related: [{ rel: 'entity', templated: false }] },
  }
  for (const field of quirks.nulls) body[field] = null
  world.tasks.set(id.toLowerCase(), { versions: [{ at: 0, body }], used, quirks })
  // nine tasks to write, six that only reads are meant for
  if (index < 9) world.taskIds.push(id)
  else world.readTaskIds.push(id)
}

function seededAssignment(world: World, index: number): Assignment | null {
  if (index % 3 === 0) return null
  const team = index % 3 === 2
  const ids = team ? [...world.teams.keys()] : world.userIds
  return {
    ...(index % 2 === 0 ? { assignment_comment: null } : {}),
    assigned_to_type: team ? 'TEAM' : 'USER',
    assigned_to_id: ids[index % ids.length] ?? '',
    assigned_by_id: world.actorId,
    due: { days: null },
  }
}

function mulberry(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 97) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
