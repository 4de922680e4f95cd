/** The members of the three resources, as the contract lists them. */
export const ofAssignment = 'assigned_by_id assigned_to_id assigned_to_type assignment_comment'
  .split(' ')
  .map((name) => `assignment.${name}`)
export const ofTask = (
  'id assessment_id assessment_template_id assignment c_name name created_at updated_at ' +
  'locked_at custom_metadata data_version entity_id institution_id microfrontend_id ' +
  'status step_name workflow_instance_id'
).split(' ')
export const ofErrors = 'error_message error_details error_step error_type'.split(' ')
export const ofAssessment = (
  'id created_at entity_id institution_id outcome_id status_id template_id ' +
  'workflow_instance_id workflow_state'
).split(' ')
