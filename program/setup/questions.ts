import { Impossible } from '../../engine/impossible.ts'
import { type Answers, checkBase, checkIds, checkKey, type Wrong } from './checks.ts'
import type { Proposals } from './discover.ts'
import { type Asker, Back, type Choice } from './terminal.ts'

type Given = {
  /** asks the user; default: what no flag answers stays empty */
  ask?: Asker
  flags: Partial<Answers>
  cwd: string
  say(sentence: string): void
}

/** The lists of ids to ask for: the question, and the proposals. */
const lists = {
  TASK_IDS: ['Tasks that runs may change and put back', 'tasks'],
  READ_TASK_IDS: ['Further tasks, only read', 'tasks'],
  ASSESSMENT_IDS: ['Assessments to read', 'assessments'],
  USER_IDS: ['Users to assign to, two or more', 'users'],
  TEAM_IDS: ['Teams to assign to', 'teams'],
  ACTOR_ID: ['The user who assigns', 'users'],
} as const

const split = (ids = '') => ids.split(/[\s,;]+/).filter(Boolean)

/** The steps that fill `answers`; each returns whether it asked the user. */
export function questions(answers: Answers, { ask, flags, cwd, say }: Given) {
  let seen: Proposals = { tasks: [], assessments: [], users: [], teams: [] }

  const wrongWith = async (name: keyof Answers, answer: string): Promise<Wrong | undefined> => {
    if (name === 'BASE_URL') return checkBase(answer, cwd)
    if (name !== 'API_KEY') return checkIds(name, lists[name][1], answer, { answers, seen, cwd })
    const known = [...split(flags.TASK_IDS), ...split(flags.READ_TASK_IDS)]
    const reached = await checkKey({ BASE_URL: answers.BASE_URL, API_KEY: answer }, known, cwd)
    if ('why' in reached) return reached
    answers.BASE_URL = reached.baseUrl
    seen = reached.seen
  }

  /** Asks until an answer is right, or is repeated although it may be wrong. */
  const settled = async (name: keyof Answers, asked: (said: string) => Promise<string>) => {
    let before: string | undefined
    let said = ''
    for (;;) {
      const answer = await asked(said)
      const wrong = await wrongWith(name, answer)
      if (!wrong || (wrong.mayStay && answer === before)) return answer
      ask?.say(wrong.why, wrong.mayStay ? 'Correct it, or press enter' : 'That does not work')
      before = answer
      said = wrong.instead ?? answer
    }
  }

  /** A step that is skipped if a flag answers it or there is no user. */
  const step =
    (name: keyof Answers, asked: (ask: Asker) => Promise<boolean>, passed = true) =>
    async () => {
      // Actor, users and teams matter only to runs that change tasks.
      const isIdle = ['USER_IDS', 'TEAM_IDS', 'ACTOR_ID'].includes(name) && answers.TASK_IDS === ''
      if (ask && !isIdle && flags[name] === undefined) return asked(ask)
      if (!passed) return false
      answers[name] = isIdle ? '' : (flags[name] ?? '')
      const wrong = await wrongWith(name, answers[name])
      // Without a user nobody sees that an id is unknown.
      const mayStay = wrong?.mayStay && (ask || name === 'BASE_URL')
      if (wrong && !mayStay) {
        if (!ask || name !== 'API_KEY' || flags.BASE_URL !== undefined)
          throw new Impossible(wrong.why)
        ask.say(wrong.why, 'That does not work')
        throw new Back()
      }
      if (wrong) say(wrong.why)
      return false
    }

  const listSteps = (name: keyof typeof lists) => {
    const [question, of] = lists[name]
    let options: Choice[] = []
    let chosen: string[] = []
    const choose = async (ask: Asker) => {
      const others = name === 'READ_TASK_IDS' ? split(answers.TASK_IDS) : []
      options = seen[of].filter(({ value }) => !others.includes(value))
      if (options.length === 0) chosen = []
      else if (name !== 'ACTOR_ID') chosen = await ask.some(question, options)
      else {
        const users = split(answers.USER_IDS)
        const actor = options.find(({ value }) => !users.includes(value))
        chosen = split(
          await ask.one(question, [...options, { value: '', label: 'another' }], actor?.value),
        )
      }
      return options.length > 0
    }
    const write = async (ask: Asker) => {
      const isDone = name === 'ACTOR_ID' && chosen.length > 0
      const others =
        name === 'ACTOR_ID' ? 'Id of the user who assigns' : 'Others, separated by commas'
      const asked = options.length > 0 ? others : question
      const more = isDone ? '' : await settled(name, (said) => ask.text(asked, said, 'none'))
      answers[name] = [...chosen, ...split(more)].join(',')
      return !isDone
    }
    return [step(name, choose, false), step(name, write)]
  }

  return [
    step('BASE_URL', async (ask) => {
      const asked = (said: string) => ask.text('Base of the service', said || answers.BASE_URL)
      answers.BASE_URL = await settled('BASE_URL', asked)
      return true
    }),
    step('API_KEY', async (ask) => {
      answers.API_KEY = await settled('API_KEY', () => ask.secret('Key'))
      ask.say(
        [
          'A run assigns the tasks of TASK_IDS to the users and teams that you name, and unassigns them.',
          'Each is put back. Every update adds an audit event, and may send an email to the',
          'assignee or to all members of the team. Name tasks and people of a test account alone.',
        ].join('\n'),
        'What runs change',
      )
      return true
    }),
    ...(Object.keys(lists) as (keyof typeof lists)[]).flatMap(listSteps),
  ]
}
