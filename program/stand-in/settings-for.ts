import type { Service } from '../../reference/service.ts'
import type { World } from '../../reference/world/world.ts'

export function settingsFor({ world }: Pick<Service, 'world'>) {
  const taskIds = world.tasks.map(({ id }) => id)
  const userIds = world.users.map(({ id }) => id)
  return {
    apiKey: world.apiKey,
    taskIds: taskIds.slice(0, 12),
    readTaskIds: taskIds.slice(12),
    assessmentIds: world.assessments.map(({ id }) => id),
    actorId: userIds[0],
    userIds: userIds.slice(1, 4),
    teamIds: world.teams.map(({ id }) => id),
  }
}

export function addressesOf({ users, teams }: World) {
  const mailsOf = (ids: string[]) =>
    users.filter(({ id }) => ids.includes(id)).map(({ mail }) => mail)
  return {
    userMails: Object.fromEntries(users.map(({ id }) => [id, mailsOf([id])])),
    teamMails: Object.fromEntries(teams.map(({ id, memberIds }) => [id, mailsOf(memberIds)])),
  }
}

export function environmentFor({ world }: Pick<Service, 'world'>) {
  const given = settingsFor({ world })
  const { userMails, teamMails } = addressesOf(world)
  return {
    API_KEY: given.apiKey,
    TASK_IDS: given.taskIds.join(),
    READ_TASK_IDS: given.readTaskIds.join(),
    ASSESSMENT_IDS: given.assessmentIds.join(),
    ACTOR_ID: given.actorId ?? '',
    USER_IDS: given.userIds.join(),
    TEAM_IDS: given.teamIds.join(),
    USER_MAILS: joinPairs(userMails),
    TEAM_MAILS: joinPairs(teamMails),
  }
}

const joinPairs = (mails: Record<string, string[]>) =>
  Object.entries(mails)
    .map(([id, addresses]) => `${id}=${addresses.join(';')}`)
    .join()

/** A line of .env, which a shell can read too: dotenv reads a quoted value literally, up to the same quote. */
export function lineFor(name: string, value: string): string {
  const quote = ["'", '`', '"'].find((each) => !value.includes(each)) ?? ''
  return `${name}=${/^[\w./:,@%+=-]+$/.test(value) ? value : `${quote}${value}${quote}`}`
}
