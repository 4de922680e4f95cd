import type { Field } from '../../../reference/calls/call.ts'
import { lent } from '../bent/lent.ts'
import { type Variant, variantsNamed } from '../fault.ts'
import { namingNothing } from './audit.ts'

/** The contract says of these alone what they are. */
const mayBeNull = ({ resource, field }: Field) =>
  resource === 'task' && !['id', 'assignment'].includes(field)

/** Tasks that were made in one go; what has not been updated since is not told apart by its version. */
export const sameVersions: Variant = {
  name: 'all tasks have the same version, until they are updated',
  surroundings: lent(
    (all) => all,
    ({ tasks }) => {
      for (const task of tasks) task.updated_at = '2025-01-01T00:00:00.123456789Z'
      // The first is not among those that others are glad to change.
      const [first] = tasks
      if (first) first.assignment = tasks.find(({ assignment }) => assignment)?.assignment ?? null
    },
  ),
}

const isHidden = (id: string) => id < '4'

const first = (list: string) => list.split(',')[0] ?? ''

/** A correct service, and an operator who gives less than all that could be checked. */
export const variants: Variant[] = [
  ...variantsNamed({
    'nothing is lent but the key': { surroundings: lent(() => ({})) },
    'tasks are lent to be read, and nobody to assign': {
      surroundings: lent(({ TASK_IDS }) => ({ READ_TASK_IDS: TASK_IDS })),
    },
    'assessments alone are lent': {
      surroundings: lent(({ ASSESSMENT_IDS }) => ({ ASSESSMENT_IDS })),
    },
    'tasks are lent, and nobody to assign': {
      surroundings: lent(({ TASK_IDS }) => ({ TASK_IDS })),
    },
    'tasks are lent with who assigns, and nobody to assign to': {
      surroundings: lent(({ TASK_IDS, ACTOR_ID }) => ({ TASK_IDS, ACTOR_ID })),
    },
    'tasks and people are lent, and nobody who assigns': {
      surroundings: lent(({ TASK_IDS, USER_IDS, TEAM_IDS }) => ({ TASK_IDS, USER_IDS, TEAM_IDS })),
    },
    'everything is lent, to be read only': {
      surroundings: lent((all) => ({ ...all, READ_ONLY: '1' })),
    },
    'one task and one user are lent': {
      surroundings: lent(({ TASK_IDS, USER_IDS, ACTOR_ID }) => ({
        ACTOR_ID,
        TASK_IDS: first(TASK_IDS),
        USER_IDS: first(USER_IDS),
      })),
    },
    'tasks are lent to be read that the key may not read': {
      refuses: true,
      surroundings: lent(
        ({ TASK_IDS, ...others }) => {
          const ids = TASK_IDS.split(',')
          const of = (hidden: boolean) => ids.filter((id) => isHidden(id) === hidden).join(',')
          return { ...others, TASK_IDS: of(false), READ_TASK_IDS: of(true) }
        },
        () => {},
        { open: { permits: ({ op, id }) => op !== 'task.read' || !isHidden(id) } },
      ),
    },
    'teams alone are lent to assign to': {
      surroundings: lent(({ TASK_IDS, TEAM_IDS, ACTOR_ID }) => ({ ACTOR_ID, TASK_IDS, TEAM_IDS })),
    },
    'everything is lent, for one request at a time': {
      surroundings: lent((all) => ({ ...all, CONCURRENCY: '1' })),
    },
    'a mailbox is lent, and nobody knows whose addresses are whose': {
      surroundings: lent(({ USER_MAILS: _, TEAM_MAILS: __, ...others }) => others),
    },
    'a mailbox is lent, nobody knows whose addresses are whose, and mails name nothing': {
      surroundings: lent(
        ({ USER_MAILS: _, TEAM_MAILS: __, ...others }) => others,
        () => {},
        { open: { mailForm: namingNothing } },
      ),
    },
    'nothing is lent but the key, and an unknown id is 404 whatever the key': {
      surroundings: lent(
        () => ({}),
        () => {},
        { open: { order: () => ['path', 'found', 'key'] } },
      ),
    },
    'everything is lent, and every field of a task that may be null is null': {
      surroundings: lent(
        (all) => all,
        () => {},
        { open: { shownValue: (at) => (mayBeNull(at) ? null : at.value) } },
      ),
    },
    'the key holds no letter': {
      surroundings: lent(
        (all) => ({ ...all, API_KEY: '7'.repeat(40) }),
        (world) => {
          world.apiKey = '7'.repeat(40)
        },
      ),
    },
  }),
  ...['assign.update', 'assign.unassign', 'task.read', 'export'].map(
    (NOT_PERMITTED): Variant => ({
      name: `everything is lent, and ${NOT_PERMITTED} is declared not to be permitted`,
      surroundings: lent((all) => ({ ...all, NOT_PERMITTED })),
    }),
  ),
]
