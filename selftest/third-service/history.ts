import type { Dice } from './dice.ts'
import type { AuditEvent, Opening } from './model.ts'

const KINDS = ['assessment', 'task', 'entity', 'screening', 'document']
const ACTIONS = ['created', 'updated', 'deleted', 'completed']
const SOURCES = ['assessment_service', 'task_platform', 'screening_engine', 'case_gateway']
const LABELS = ['pep', 'pep-close', 'sanctions', 'adverse-media', 'periodic review']
const REMARKS = ['Data refreshed', 'Seen, nothing to add', 'Owner "Kessler, A." added', 'Sent back']

/** What happened before the service was started: so many events, spread over the past. */
export function historyOf(
  dice: Dice,
  tasks: readonly Opening[],
  people: readonly string[],
  count: number,
  moment: () => number,
): AuditEvent[] {
  const pools = {
    screening_application_id: dice.uuids(8),
    screening_config_id: dice.uuids(4),
    match_id: dice.uuids(12),
    inquiry_id: dice.uuids(6),
    cache_id: dice.uuids(5),
  }
  const screening = (): AuditEvent['metadata'] => ({
    screening_application_id: dice.pick(pools.screening_application_id),
    screening_config_id: dice.pick(pools.screening_config_id),
    ...(dice.below(2) ? { match_id: dice.pick(pools.match_id) } : {}),
    ...(dice.below(2) ? { inquiry_id: dice.pick(pools.inquiry_id) } : {}),
    ...(dice.below(2) ? { tag: dice.pick(LABELS) } : {}),
    ...(dice.below(3) ? {} : { cache_id: dice.pick(pools.cache_id) }),
  })
  return Array.from({ length: count }, () => {
    const task = dice.pick(tasks)
    const kind = dice.pick(KINDS)
    const metadata: AuditEvent['metadata'] = { entity_id: task.entity_id }
    if (kind !== 'entity') {
      metadata.assessment_id = task.assessment_id
      metadata.workflow_instance_id = task.workflow_instance_id
    }
    if (kind === 'task') metadata.task_id = task.id
    if (kind === 'task' || kind === 'document') metadata.workflow_step = task.step_name
    if (kind === 'document' && dice.below(2)) metadata.tag = dice.pick(LABELS)
    if (kind === 'screening') Object.assign(metadata, screening())
    return {
      ref: dice.uuid(),
      at: moment(),
      causedBy: dice.pick(people),
      kind,
      action: dice.pick(ACTIONS),
      source: dice.pick(SOURCES),
      metadata,
      remark: dice.below(4) ? null : dice.pick(REMARKS),
    }
  })
}
