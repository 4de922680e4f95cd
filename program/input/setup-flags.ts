import { type Call, readFlags } from './read-flags.ts'

/** How settings are asked for. */
const setupCommand = {
  name: 'setup',
  about: `  Asks for what a run needs, tries it at once, and writes .env. It only reads. A flag answers its
  question; with --yes and without a terminal what no flag answers is left out.
`,
  flags: {
    'base-url': { argument: 'URL', meaning: 'base of the service, normally ending in /v5' },
    'api-key': { argument: 'KEY', meaning: 'the key, else API_KEY of the environment' },
    'task-ids': { argument: 'IDS', meaning: 'tasks that runs may change and put back' },
    'read-task-ids': { argument: 'IDS', meaning: 'further tasks, only read' },
    'assessment-ids': { argument: 'IDS', meaning: 'assessments to read' },
    'actor-id': { argument: 'ID', meaning: 'the user in whose name tasks are assigned' },
    'user-ids': { argument: 'IDS', meaning: 'users to assign to' },
    'team-ids': { argument: 'IDS', meaning: 'teams to assign to' },
    plan: { meaning: 'show what a run costs, without asking whether to' },
    overwrite: { meaning: 'change a .env that is there, without asking whether to' },
    yes: { meaning: 'ask nothing that a flag could answer' },
  },
}

export type SetupFlags = NonNullable<ReturnType<typeof readSetupFlags>>

/** Reads the answers that were given as flags, or throws the first mistake; undefined: as readFlags. */
export function readSetupFlags(call: Call) {
  const given = readFlags(setupCommand, call)
  if (!given) return undefined
  const { flags, value } = given
  return {
    BASE_URL: value('base-url'),
    API_KEY: value('api-key') ?? (call.env.API_KEY || undefined),
    TASK_IDS: value('task-ids'),
    READ_TASK_IDS: value('read-task-ids'),
    ASSESSMENT_IDS: value('assessment-ids'),
    ACTOR_ID: value('actor-id'),
    USER_IDS: value('user-ids'),
    TEAM_IDS: value('team-ids'),
    plan: flags.has('plan'),
    overwrite: flags.has('overwrite'),
    yes: flags.has('yes'),
  }
}
