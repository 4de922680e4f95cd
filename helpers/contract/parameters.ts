/** Each may have several values in one request. */
export const arrayParameters = ['auditee_id', 'event_type', 'sub_type', 'system_source'] as const
