import { ofAssessment, ofAssignment, ofErrors, ofTask } from './fields.ts'
import { drop, duplicate, empty, formed, other, rename, retype, swap, toNull } from './member.ts'
import type { Operator } from './operator.ts'

const versions = ['updated_at', 'data_version']
const some = ['id', 'status', 'created_at', 'assignment', 'step_name', ...versions]

const readOperators: readonly Operator[] = [
  ...drop('task.read', [...ofTask, ...ofAssignment]),
  ...toNull('task.read', ['id', 'updated_at', 'entity_id', 'data_version', 'status']),
  ...toNull('task.read', ofAssignment.slice(0, 3)),
  ...retype('task.read', ['locked_at', 'custom_metadata', ...some]),
  ...retype('task.read', ofAssignment),
  ...other('task.read', [...ofTask, ...ofAssignment]),
  ...empty('task.read', ['id', 'updated_at', 'status', 'assignment']),
  swap('task.read', 'entity_id', 'institution_id'),
  swap('task.read', 'created_at', 'updated_at'),
  swap('task.read', 'assessment_id', 'assessment_template_id'),
  swap('task.read', 'name', 'c_name'),
  swap('task.read', 'assigned_by_id', 'assigned_to_id', 'assignment'),
  ...['id', 'updated_at'].map((name) => duplicate('task.read', name)),
  rename('task.read', 'updated_at'),
  ...formed('task.read', 'created_at', ['time-without-zone', 'time-with-offset', 'date-only']),
  ...formed('task.read', 'updated_at', ['whole-seconds', 'epoch-text']),
  ...formed('task.read', 'id', ['upper-case', 'without-dashes']),
  ...formed('task.read', 'assignment.assigned_to_type', ['lower-case']),
]

const writeOperators: readonly Operator[] = [
  ...drop('assign.update', ['id', 'status', 'assignment', ...versions, ...ofAssignment]),
  ...toNull('assign.update', ['assignment', 'updated_at', ...ofAssignment.slice(1, 4)]),
  ...retype('assign.update', ['assignment', ...versions]),
  ...other('assign.update', ['id', 'status', 'entity_id', ...versions, ...ofAssignment]),
  ...empty('assign.update', ['assignment', 'updated_at']),
  swap('assign.update', 'created_at', 'updated_at'),
  swap('assign.update', 'assigned_by_id', 'assigned_to_id', 'assignment'),
  duplicate('assign.update', 'updated_at'),
  rename('assign.update', 'data_version'),
  ...formed('assign.update', 'updated_at', ['whole-seconds', 'time-without-zone']),
  ...formed('assign.update', 'assignment.assignment_comment', ['upper-case', 'with-spaces']),
  ...drop('assign.unassign', ['id', 'assignment', 'updated_at']),
  ...retype('assign.unassign', ['assignment', 'updated_at']),
  ...other('assign.unassign', ['id', 'assignment', 'status', ...versions]),
  ...formed('assign.unassign', 'updated_at', ['whole-seconds']),
]

const assessmentOperators: readonly Operator[] = [
  ...drop('assessment.read', [...ofAssessment, ...ofErrors]),
  ...toNull('assessment.read', ['id', 'outcome_id', 'workflow_state']),
  ...retype('assessment.read', ['id', 'created_at', 'status_id', 'workflow_state']),
  ...other('assessment.read', [...ofAssessment, 'error_message']),
  ...empty('assessment.read', ['id', 'workflow_state']),
  swap('assessment.read', 'outcome_id', 'status_id'),
  swap('assessment.read', 'id', 'template_id'),
  duplicate('assessment.read', 'workflow_state'),
  rename('assessment.read', 'workflow_state'),
  ...formed('assessment.read', 'created_at', ['time-without-zone', 'epoch-text']),
  ...formed('assessment.read', 'workflow_state', ['upper-case']),
  ...formed('assessment.read', 'id', ['upper-case']),
]

export const memberOperators: readonly Operator[] = [
  ...readOperators,
  ...writeOperators,
  ...assessmentOperators,
]
