// What changes answers on their way, which no rule of the service tells.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { onTheWay } from '../bent/on-the-way.ts'
import { type Fault, faultsBreaking, faultsNamed } from '../fault.ts'

type Body = Record<string, unknown>

/** The body of each task that is read, changed. */
const reading = (
  change: (body: string, path: string) => string | Buffer,
): Pick<Fault, 'front'> => ({
  front: onTheWay((send) => async (asked, ...more) => {
    const answer = await send(asked, ...more)
    const isTask = asked.method === 'GET' && asked.path.includes('/tasks/')
    if (answer.statusCode !== 200 || !isTask) return answer
    const changed = Buffer.from(change((await buffer(answer.body)).toString(), asked.path))
    const { 'content-length': _, ...headers } = answer.headers
    return { ...answer, headers, body: Readable.from([changed]) }
  }),
})

const readingMembers = (change: (task: Body) => Body) =>
  reading((text) => JSON.stringify(change(JSON.parse(text))))

const swapped =
  (one: string, other: string) =>
  (of: Body): Body => ({
    ...of,
    [one]: of[other],
    [other]: of[one],
  })

const inAssignment = (change: (assignment: Body) => Body) =>
  readingMembers((task) => ({
    ...task,
    assignment: task.assignment && change(task.assignment as Body),
  }))

/** Answers that were given before. */
function from(before: (given: readonly string[], at: number) => string | undefined) {
  const given: string[] = []
  return reading((text, path) => {
    given.push(`${path} ${text}`)
    const shown = before(given, given.length - 1) ?? `${path} ${text}`
    return shown.slice(shown.indexOf(' ') + 1)
  })
}

export const faults: Fault[] = [
  ...faultsBreaking('task.read.success', {
    'a read is written in UTF-16': reading((text) => Buffer.from(text, 'utf16le')),
    'a read is written in Latin-1': reading((text) => Buffer.from(text, 'latin1')),
    'a read comes twice in one body': reading((text) => text + text),
    'half of a read comes': reading((text) => text.slice(0, text.length / 2)),
    'a script stands behind a read': reading((text) => `${text}<script></script>`),
  }),
  ...faultsBreaking(['task.read.identity', 'task.read.identifiers'], {
    'a read holds its id twice': reading((text) => text.replace(/\}$/, ',"id":"x"}')),
    'the id of a task is read without dashes': readingMembers(({ id, ...task }) => ({
      id: `${id}`.replaceAll('-', ''),
      ...task,
    })),
  }),
  ...faultsBreaking(['task.read.assessment-resolves', 'assign.only-the-assignment'], {
    'in reads assessment_id and assessment_template_id are swapped': readingMembers(
      swapped('assessment_id', 'assessment_template_id'),
    ),
    'in reads entity_id and institution_id are swapped': readingMembers(
      swapped('entity_id', 'institution_id'),
    ),
  }),
  ...faultsNamed({
    'in reads name and c_name are swapped': {
      ...readingMembers(swapped('name', 'c_name')),
      breaks: ['assign.only-the-assignment'],
    },
    'in reads the assigner and the assignee are swapped': {
      ...inAssignment(swapped('assigned_by_id', 'assigned_to_id')),
      breaks: ['assign.*-to-user', 'assign.*-to-team', 'assign.persisted'],
      mayBreak: ['version.*'],
    },
    'a comment is read in capital letters': {
      ...inAssignment(({ assignment_comment: comment, ...assignment }) => ({
        ...assignment,
        assignment_comment: typeof comment === 'string' ? comment.toUpperCase() : comment,
      })),
      breaks: ['assign.persisted', 'assign.comment.plain'],
      mayBreak: ['assign.comment.*', 'version.*'],
    },
    'updated_at is read without its fraction': {
      ...reading((text) => text.replace(/("updated_at":"[^"]*)\.\d+Z/, '$1Z')),
      breaks: ['version.current-accepted'],
    },
    'updated_at is read without its zone': {
      ...reading((text) => text.replace(/("updated_at":"[^"]*)Z/, '$1')),
      breaks: ['task.read.timestamps', 'version.current-accepted'],
    },
    'each task is read as it was at first': {
      ...from((given, at) => given.find((each) => each.split(' ')[0] === given[at]?.split(' ')[0])),
      breaks: ['assign.persisted'],
      mayBreak: ['assign.*', 'version.*'],
    },
    'every second read shows the read before it': {
      ...from((given, at) => (at % 2 === 1 ? given[at - 1] : undefined)),
      breaks: ['task.read.identity'],
      mayBreak: ['assign.*', 'version.*'],
    },
  }),
]
