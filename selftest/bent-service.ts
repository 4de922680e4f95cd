import { makeEvents } from '../reference/calls/event-maker.ts'
import type { AuditEvent } from '../reference/calls/events.ts'
import { open } from '../reference/rules/open.ts'
import { stated } from '../reference/rules/stated.ts'
import { createService } from '../reference/service.ts'
import { makeWorld, type World } from '../reference/world/world.ts'
import type { Bent } from './proofs/fault.ts'

export const seed = 1

const worlds = new Map<number, { world: World; events: AuditEvent[] }>()

/** The same people, tasks and assessments for any number of events; made once, because it takes a while. */
function worldOf({ events: count = 1_200, held = (assignment) => assignment }: Bent) {
  const made = worlds.get(count) ?? madeOf(count)
  worlds.set(count, made)
  const world = structuredClone(made.world)
  for (const task of world.tasks) task.assignment = task.assignment && held(task.assignment)
  return { world, events: made.events }
}

function madeOf(count: number) {
  const world = makeWorld(seed)
  return { world, events: makeEvents(world, count) }
}

/** A reference service with some of its rules bent. */
export const bentService = (
  bent: Bent,
  more: Pick<Parameters<typeof createService>[0], 'mailer'> = {},
) =>
  createService({
    ...worldOf(bent),
    stated: { ...stated, ...bent.stated },
    open: { ...open, ...bent.open },
    pdfLimit: bent.pdfLimit,
    ...more,
  })
