import type { Hooks } from './hooks.ts'
import {
  type AuditEvent,
  type ExportQuery,
  LIST_NAMES,
  type ListName,
  METADATA_KEYS,
} from './model.ts'

const FIELD_OF: Record<ListName, 'causedBy' | 'kind' | 'action' | 'source'> = {
  auditee_id: 'causedBy',
  event_type: 'kind',
  sub_type: 'action',
  system_source: 'source',
}

/** All audit events, and the choosing among them. */
export class Archive {
  readonly #events: AuditEvent[] = []
  readonly #hooks: Hooks

  constructor(hooks: Hooks) {
    this.#hooks = hooks
  }

  record(event: AuditEvent): void {
    this.#events.push(event)
  }

  /** The events that a query asks for, the oldest first. */
  choose(query: ExportQuery, until: number): AuditEvent[] {
    const all = this.#events.filter((event) => event.at <= until).sort((a, b) => a.at - b.at)
    const kept = all.filter((event) => {
      const verdicts = this.#hooks.run('verdicts', judge(event, query), { event, query })
      const everyone = Object.values(verdicts).every(Boolean)
      return this.#hooks.run('kept', everyone, { verdicts, event })
    })
    return this.#hooks.run('chosen', kept, { query, all })
  }
}

/** One verdict for each filter that is given. */
function judge(event: AuditEvent, query: ExportQuery): Record<string, boolean> {
  const verdicts: Record<string, boolean> = {}
  for (const name of LIST_NAMES) {
    const wanted = query.lists[name]
    if (wanted) verdicts[name] = wanted.includes(event[FIELD_OF[name]])
  }
  for (const key of METADATA_KEYS) {
    const wanted = query.metadata[key]
    const held = event.metadata[key]
    if (wanted) verdicts[`metadata.${key}`] = held !== undefined && wanted.includes(held)
  }
  if (query.from !== null) verdicts.range_start = event.at >= query.from
  if (query.to !== null) verdicts.range_end = event.at <= query.to
  return verdicts
}
