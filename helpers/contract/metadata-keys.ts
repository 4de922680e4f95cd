type Key = { names: readonly string[]; task?: string; assessment?: string }

/** Each metadata key: other names of its column, and the members of a task and an assessment with its values. */
export const metadata = keysOf({
  entity_id: { names: ['entity'], task: 'entity_id', assessment: 'entity_id' },
  assessment_id: { names: ['assessment'], task: 'assessment_id', assessment: 'id' },
  task_id: { names: ['task'], task: 'id' },
  workflow_instance_id: {
    names: ['workflow instance', 'workflow', 'workflow id', 'instance id'],
    task: 'workflow_instance_id',
    assessment: 'workflow_instance_id',
  },
  screening_application_id: { names: ['screening application', 'application id'] },
  screening_config_id: { names: ['screening config', 'screening configuration', 'config id'] },
  match_id: { names: ['match'] },
  inquiry_id: { names: ['inquiry', 'enquiry', 'enquiry id'] },
  tag: { names: ['tags', 'label', 'labels'] },
  cache_id: { names: ['cache'] },
  workflow_step: { names: ['step', 'step name', 'workflow step name'], task: 'step_name' },
})

function keysOf<Name extends string>(keys: Record<Name, Key>) {
  return keys
}

export type MetadataKey = keyof typeof metadata

/** The keys that code names, by what they find events of. */
export const keyOf = {
  task: 'task_id',
  entity: 'entity_id',
  tag: 'tag',
  step: 'workflow_step',
} as const satisfies Record<string, MetadataKey>

export const metadataKeys = Object.keys(metadata) as MetadataKey[]
