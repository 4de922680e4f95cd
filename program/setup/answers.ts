import { Impossible } from '../input/mistakes.ts'
import type { Seen } from './discover.ts'
import type { Asker, Choice } from './terminal.ts'

/** The settings that are asked for; an empty one is left out. */
export type Answers = {
  BASE_URL: string
  API_KEY: string
  TASK_IDS: string
  READ_TASK_IDS: string
  ASSESSMENT_IDS: string
  ACTOR_ID: string
  USER_IDS: string
  TEAM_IDS: string
}

/** What came of trying an address and a key: what the service shows, or why it does not. */
export type Tried = { baseUrl: string; seen: Seen } | { why: string }

type Try = (given: Partial<Answers>) => Promise<Tried>

/** Asks every question that no flag answers; without somebody to ask, the others are left out. */
export async function askAll(
  ask: Asker | undefined,
  flags: Partial<Answers>,
  tryOut: Try,
): Promise<Answers> {
  const { baseUrl, key, seen } = await reach(ask, flags, tryOut)
  ask?.say(
    [
      'A run assigns the tasks of TASK_IDS to the users and teams that you name, and unassigns them.',
      'Each is put back as it was found. Every update adds an audit event, and may send a mail to the',
      'assignee or to all members of the team. Name tasks and people of a test account alone.',
    ].join('\n'),
    'What runs change',
  )
  const several = async (name: keyof Answers, message: string, options: Choice[]) =>
    flags[name] ?? (await ask?.several(message, options))?.join(',') ?? ''
  const tasks = seen.tasks.map(({ id, name, assignee }): Choice => {
    const who = assignee ? `assigned to ${assignee.type} ${assignee.id}` : 'unassigned'
    return { value: id, label: `${id} ${name}`.trim(), hint: who }
  })
  const TASK_IDS = await several('TASK_IDS', 'Tasks that runs may change and put back', tasks)
  const isLeft = ({ value }: Choice) => !TASK_IDS.includes(value)
  const READ_TASK_IDS = await several(
    'READ_TASK_IDS',
    'Further tasks, only read',
    tasks.filter(isLeft),
  )
  const ASSESSMENT_IDS = await several(
    'ASSESSMENT_IDS',
    'Assessments to read',
    seen.assessments.map(plain),
  )
  const answers = { BASE_URL: baseUrl, API_KEY: key, TASK_IDS, READ_TASK_IDS, ASSESSMENT_IDS }
  // Who assigns, and to whom, matters to runs that change something alone.
  if (TASK_IDS === '') return { ...answers, ACTOR_ID: '', USER_IDS: '', TEAM_IDS: '' }
  const users = seen.users.map(plain)
  const USER_IDS = await several('USER_IDS', 'Users to assign to, two or more', users)
  const TEAM_IDS = await several('TEAM_IDS', 'Teams to assign to', seen.teams.map(plain))
  const actor = seen.users.find((id) => !USER_IDS.includes(id)) ?? seen.users[0]
  const ACTOR_ID = flags.ACTOR_ID ?? (await ask?.text('The user who assigns', actor)) ?? ''
  return { ...answers, ACTOR_ID, USER_IDS, TEAM_IDS }
}

const plain = (value: string): Choice => ({ value, label: value })

/** Asks for address and key until the service takes them; what was given as a flag is not asked again. */
async function reach(ask: Asker | undefined, flags: Partial<Answers>, tryOut: Try) {
  let said = ''
  for (;;) {
    const address = flags.BASE_URL ?? (await ask?.text('Base of the service', said)) ?? ''
    const key = flags.API_KEY ?? (await ask?.secret('Key')) ?? ''
    const ids = { TASK_IDS: flags.TASK_IDS ?? '', READ_TASK_IDS: flags.READ_TASK_IDS ?? '' }
    const tried = await tryOut({ BASE_URL: address, API_KEY: key, ...ids })
    if ('seen' in tried) return { ...tried, key }
    if (!ask || (flags.BASE_URL !== undefined && flags.API_KEY !== undefined))
      throw new Impossible(tried.why)
    ask.say(tried.why, 'That does not work')
    said = address
  }
}
