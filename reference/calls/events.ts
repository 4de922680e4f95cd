import type { Task } from '../world/world.ts'
import { keys, type MetadataKey, type Values } from './event-keys.ts'

export const metadataKeys = Object.keys(keys) as MetadataKey[]

export type { MetadataKey }

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

export function metadataOfTask(task: Task): AuditEvent['metadata'] {
  const shown = metadataKeys.flatMap((key) => {
    const values: Values = keys[key]
    return 'field' in values ? [[key, task[values.field]]] : []
  })
  return Object.fromEntries(shown)
}
