// Members of the resources, in answers of success.
import { ofAssessment, ofAssignment, ofErrors, ofTask } from './fields.ts'
import {
  anHourLater,
  answer,
  changeJson,
  isMembers,
  type Json,
  type Members,
  type Operator,
  textOf,
  withText,
} from './operator.ts'

type By = (value: Json) => Json | undefined

/** Changes the member at a path of one or two names; `undefined` drops it. */
function changeMember(members: Members, path: string, by: By): Members | undefined {
  const [name = '', ...rest] = path.split('.')
  const { [name]: value, ...others } = members
  if (value === undefined) return undefined
  if (rest.length > 0) {
    const inner = isMembers(value) ? changeMember(value, rest.join('.'), by) : undefined
    return inner && { ...members, [name]: inner }
  }
  const changed = by(value)
  return changed === undefined ? others : { ...members, [name]: changed }
}

function swapMembers(members: Members, one: string, two: string): Members | undefined {
  const [a, b] = [members[one], members[two]]
  return a === undefined || b === undefined || a === b
    ? undefined
    : { ...members, [one]: b, [two]: a }
}

/** A value of another JSON type. */
function retyped(value: Json): Json {
  if (typeof value === 'string') return Number.isNaN(Date.parse(value)) ? 7 : Date.parse(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return value === null ? 'null' : Array.isArray(value) ? {} : [value]
}

const partners: Members = { USER: 'TEAM', TEAM: 'USER', Active: 'Cancelled', Cancelled: 'Active' }

/** Another value that looks like one of the same member. */
function otherwise(value: Json): Json {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (value === null) return 'something'
  if (typeof value !== 'string') return Array.isArray(value) ? [...value, null] : { extra: 'value' }
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return anHourLater(value)
  return partners[value] ?? value.slice(0, -1) + (value.at(-1) === '0' ? '1' : '0')
}

const ways = {
  drop: () => undefined,
  null: () => null,
  retype: retyped,
  other: otherwise,
  empty: (value: Json) => (typeof value === 'string' ? '' : {}),
}

const forms = {
  'time-without-zone': (text: string) => text.replace(/Z$/, ''),
  'time-with-offset': (text: string) =>
    new Date(Date.parse(text) + 7_200_000).toISOString().replace('Z', '+02:00'),
  'whole-seconds': (text: string) => text.replace(/\.\d+/, ''),
  'date-only': (text: string) => text.slice(0, 10),
  'epoch-text': (text: string) => String(Date.parse(text)),
  'upper-case': (text: string) => text.toUpperCase(),
  'lower-case': (text: string) => text.toLowerCase(),
  'without-dashes': (text: string) => text.replaceAll('-', ''),
  'with-spaces': (text: string) => ` ${text} `,
}

/** The mutants of one operation's members, by kind of change. */
function membersOf(operation: string) {
  const one = (id: string, path: string, by: By) =>
    answer(`${operation}/${id}`, (a) => changeJson(a, (members) => changeMember(members, path, by)))
  return {
    all: (way: keyof typeof ways, paths: readonly string[]): Operator[] =>
      paths.map((path) => one(`${way}/${path}`, path, ways[way])),
    formed: (path: string, names: readonly (keyof typeof forms)[]): Operator[] =>
      names.map((name) =>
        one(`form/${path}-${name}`, path, (value) =>
          typeof value === 'string' ? forms[name](value) : value,
        ),
      ),
    swap: (first: string, second: string, inner?: string): Operator => {
      const swapped = (value: Json) => isMembers(value) && swapMembers(value, first, second)
      return answer(`${operation}/swap/${first}+${second}`, (a) =>
        changeJson(a, (members) =>
          inner === undefined
            ? swapMembers(members, first, second)
            : changeMember(members, inner, (value) => swapped(value) || value),
        ),
      )
    },
    /** The same name twice in one object: most readers use the last. */
    duplicate: (name: string): Operator =>
      answer(`${operation}/duplicate/${name}`, (a) => {
        const json = changeJson(a, ({ [name]: value }) => value)
        if (json === undefined) return undefined
        const other = JSON.stringify(otherwise(JSON.parse(textOf(json)) as Json))
        return withText(
          a,
          textOf(a).replace(/\}\s*$/, () => `,${JSON.stringify(name)}:${other}}`),
        )
      }),
    rename: (name: string): Operator => {
      const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      return answer(`${operation}/rename/${name}`, (a) =>
        changeJson(a, ({ [name]: value, ...rest }) =>
          value === undefined ? undefined : { ...rest, [camel]: value },
        ),
      )
    },
  }
}

const versions = ['updated_at', 'data_version']
const some = ['id', 'status', 'created_at', 'assignment', 'step_name', ...versions]
const [task, update, unassign, assessment] = [
  membersOf('task.read'),
  membersOf('assign.update'),
  membersOf('assign.unassign'),
  membersOf('assessment.read'),
]

export const memberOperators: readonly Operator[] = [
  ...task.all('drop', [...ofTask, ...ofAssignment]),
  ...task.all('null', ['id', 'updated_at', 'entity_id', 'data_version', 'status']),
  ...task.all('null', ofAssignment.slice(0, 3)),
  ...task.all('retype', ['locked_at', 'custom_metadata', ...some, ...ofAssignment]),
  ...task.all('other', [...ofTask, ...ofAssignment]),
  ...task.all('empty', ['id', 'updated_at', 'status', 'assignment']),
  task.swap('entity_id', 'institution_id'),
  task.swap('created_at', 'updated_at'),
  task.swap('assessment_id', 'assessment_template_id'),
  task.swap('name', 'c_name'),
  task.swap('assigned_by_id', 'assigned_to_id', 'assignment'),
  task.duplicate('id'),
  task.duplicate('updated_at'),
  task.rename('updated_at'),
  ...task.formed('created_at', ['time-without-zone', 'time-with-offset', 'date-only']),
  ...task.formed('updated_at', ['whole-seconds', 'epoch-text']),
  ...task.formed('id', ['upper-case', 'without-dashes']),
  ...task.formed('assignment.assigned_to_type', ['lower-case']),
  ...update.all('drop', ['id', 'status', 'assignment', ...versions, ...ofAssignment]),
  ...update.all('null', ['assignment', 'updated_at', ...ofAssignment.slice(1, 4)]),
  ...update.all('retype', ['assignment', ...versions]),
  ...update.all('other', ['id', 'status', 'entity_id', ...versions, ...ofAssignment]),
  ...update.all('empty', ['assignment', 'updated_at']),
  update.swap('created_at', 'updated_at'),
  update.swap('assigned_by_id', 'assigned_to_id', 'assignment'),
  update.duplicate('updated_at'),
  update.rename('data_version'),
  ...update.formed('updated_at', ['whole-seconds', 'time-without-zone']),
  ...update.formed('assignment.assignment_comment', ['upper-case', 'with-spaces']),
  ...unassign.all('drop', ['id', 'assignment', 'updated_at']),
  ...unassign.all('retype', ['assignment', 'updated_at']),
  ...unassign.all('other', ['id', 'assignment', 'status', ...versions]),
  ...unassign.formed('updated_at', ['whole-seconds']),
  ...assessment.all('drop', [...ofAssessment, ...ofErrors]),
  ...assessment.all('null', ['id', 'outcome_id', 'workflow_state']),
  ...assessment.all('retype', ['id', 'created_at', 'status_id', 'workflow_state']),
  ...assessment.all('other', [...ofAssessment, 'error_message']),
  ...assessment.all('empty', ['id', 'workflow_state']),
  assessment.swap('outcome_id', 'status_id'),
  assessment.swap('id', 'template_id'),
  assessment.duplicate('workflow_state'),
  assessment.rename('workflow_state'),
  ...assessment.formed('created_at', ['time-without-zone', 'epoch-text']),
  ...assessment.formed('workflow_state', ['upper-case']),
  ...assessment.formed('id', ['upper-case']),
]
