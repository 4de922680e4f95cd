import { Dice } from './dice.ts'
import { Directory } from './directory.ts'
import { eventOf } from './events.ts'
import { historyOf } from './history.ts'
import type { Assessment, AuditEvent, Change, Opening, Order } from './model.ts'

const DAY = 86_400_000
const STEPS = ['Intake', 'Data collection', 'Review', 'Approval', 'Decision']
const STATES = ['Active', 'Cancelled', 'Error', 'Active', 'Error', 'Cancelled'] as const
const TASKS_TO_CHANGE = 12
const TASKS_TO_READ = 3
const ACROSS = 14 * 30.4 * DAY

export interface World {
  directory: Directory
  assessments: Assessment[]
  changes: Change[]
  events: AuditEvent[]
  taskIds: string[]
  readTaskIds: string[]
}

/** Builds a world of its own, the same each time apart from today's date. */
export function buildWorld(seed: number, eventCount: number): World {
  const dice = new Dice(seed)
  const directory = new Directory(dice)
  const institution = dice.uuid()
  const yesterday = Math.floor(Date.now() / DAY) * DAY - 1
  const past = (across: number) => makeOdd(yesterday - dice.next() * across)
  const assessments = STATES.map((state) => assessmentOf(dice, state, institution, past(ACROSS)))
  const world: World = {
    directory,
    assessments,
    changes: [],
    events: [],
    taskIds: [],
    readTaskIds: [],
  }
  for (let at = 0; at < TASKS_TO_CHANGE + TASKS_TO_READ; at += 1) {
    const assessment = assessments[at % assessments.length] as Assessment
    const opening = openingOf(dice, assessment, at, new Date(past(ACROSS / 2)).toISOString())
    const opened = Date.parse(opening.created_at)
    world.changes.push({ what: 'opened', taskId: opening.id, at: opened, stamp: opened, opening })
    ;(at < TASKS_TO_CHANGE ? world.taskIds : world.readTaskIds).push(opening.id)
    if (at % 3 === 0) continue
    const moment = makeOdd(opened + dice.next() * (yesterday - opened))
    assign(world, opening, firstOrder(dice, directory, at), moment)
  }
  const openings = world.changes.flatMap((one) => (one.what === 'opened' ? [one.opening] : []))
  const left = eventCount - world.events.length
  const people = directory.everybody().map((person) => person.id)
  for (const event of historyOf(dice, openings, people, left, () => past(ACROSS)))
    world.events.push(event)
  return world
}

const makeOdd = (ms: number): number => {
  const whole = Math.floor(ms)
  return whole % 2 === 0 ? whole - 1 : whole
}

function firstOrder(dice: Dice, directory: Directory, at: number): Order {
  const type = at % 3 === 1 ? 'USER' : 'TEAM'
  const id = type === 'USER' ? dice.pick(directory.users).id : dice.pick(directory.teams).id
  const comment = dice.pick([null, 'First in line for this one', 'Please look at the owners, too'])
  return { by: dice.pick(directory.others).id, target: { id, type }, comment }
}

function assign(world: World, opening: Opening, order: Order, at: number): void {
  const { target } = order
  if (!target) return
  const assignment = {
    assigned_by_id: order.by,
    assigned_to_id: target.id,
    assigned_to_type: target.type,
    assignment_comment: order.comment,
  }
  world.changes.push({ what: 'assigned', taskId: opening.id, at, stamp: at, assignment })
  world.events.push(eventOf(opening, order, at))
}

function openingOf(dice: Dice, of: Assessment, at: number, created_at: string): Opening {
  return {
    id: dice.uuid(),
    assessment_id: of.id,
    assessment_template_id: of.template_id,
    c_name: `Check ${dice.pick(['owners', 'address', 'licence', 'accounts'])} ${at + 1}`,
    name: at % 4 === 0 ? null : `Task ${at + 1}`,
    created_at,
    locked_at: created_at,
    custom_metadata: dice.pick([null, {}, { priority: 'high', round: 2 }]),
    entity_id: of.entity_id,
    institution_id: of.institution_id,
    microfrontend_id: dice.uuid(),
    status: 'INCOMPLETE',
    step_name: dice.pick(STEPS),
    workflow_instance_id: of.workflow_instance_id,
  }
}

function assessmentOf(
  dice: Dice,
  state: Assessment['workflow_state'],
  institution_id: string,
  created: number,
): Assessment {
  const failed = state === 'Error'
  return {
    id: dice.uuid(),
    created_at: new Date(created).toISOString(),
    entity_id: dice.uuid(),
    institution_id,
    outcome_id: dice.uuid(),
    status_id: dice.uuid(),
    template_id: dice.uuid(),
    workflow_instance_id: dice.uuid(),
    workflow_state: state,
    error_message: failed ? 'The step could not be finished' : null,
    error_details: failed ? { attempt: dice.below(5) + 1, retry: false } : null,
    error_step: failed ? dice.pick(STEPS) : null,
    error_type: failed ? 'STEP_FAILED' : null,
  }
}
