import type { OddService } from './service.ts'

/** What people would put into the settings for a service that they did not write. */
export const settingsOf = (service: OddService) => ({
  BASE_URL: service.baseUrl,
  API_KEY: service.apiKey,
  TASK_IDS: service.taskIds.join(','),
  READ_TASK_IDS: service.readTaskIds.join(','),
  ASSESSMENT_IDS: service.assessmentIds.join(','),
  ACTOR_ID: service.actorId,
  USER_IDS: service.userIds.join(','),
  TEAM_IDS: service.teamIds.join(','),
  // It settles within half a second, and has shown an event after two if at all.
  SETTLE_MS: '1000',
  AUDIT_WAIT_S: '5',
})
