import { type Stated, stated } from '../../../reference/rules/stated.ts'
import type { Task } from '../../../reference/world/world.ts'
import { type Fault, fault, faultsNamed } from '../fault.ts'
import {
  besides,
  isYearBefore,
  milliseconds,
  nearOnes,
  races,
  takesToo,
  wrongUnassign,
} from './concurrency.ts'

/** Updates that were sent with the current version. */
const taken = new Set<string>()
/** The version of each task that was shown last. */
const shown = new Map<string, unknown>()

/** The versions that each task had, in order. */
const history = new Map<string, string[]>()

/** Versions whose last digit that is shown is not 0: else none that is shorter begins like them. */
const endsInNoZero: Stated['versionAfter'] = ({ fresh }) =>
  fresh.replace(/(\.\d\d)0/, (_, before) => `${before}1`)

/** If-Match in forms that are not the current value, taken or refused in another way. */
export const versionForms: Fault[] = [
  ...faultsNamed({
    'versions of the year before are taken': {
      ...takesToo(isYearBefore),
      breaks: ['version.wrong.older', wrongUnassign],
      mayBreak: 'version.wrong.repeated',
    },
    'future versions are taken': {
      ...takesToo(({ given, current }) => milliseconds(given) > milliseconds(current)),
      breaks: 'version.wrong.future',
      mayBreak: [...nearOnes, ...besides, 'version.wrong.finer', wrongUnassign],
    },
    'but for the last two, the versions that a task had are taken': {
      ...takesToo(({ task, given }) => {
        const before = history.get(task.id)?.slice(0, -2) ?? []
        // It is shown with fewer digits than it has.
        return before.some((version) => version.startsWith(given.slice(0, -1)))
      }),
      versionAfter: ({ task, fresh }) => {
        history.set(task.id, [...(history.get(task.id) ?? []), task.updated_at])
        return fresh
      },
      breaks: 'version.stale.assign version.model',
      mayBreak: 'version.stale.reassign',
    },
    'the version of another task is taken': {
      ...takesToo(({ task, given }) =>
        [...shown].some(([id, version]) => id !== task.id && version === given),
      ),
      fieldValue: ({ resource, field, record, value }) => {
        if (resource === 'task' && field === 'updated_at') shown.set((record as Task).id, value)
        return value
      },
      breaks: 'version.wrong.other-task',
      // Two tasks that are changed in one millisecond have one version.
      mayBreak: 'version.model version.history',
    },
    'an update is taken once more with the version that it was accepted with': {
      versionMatches: (compared) => {
        const { task, sent, given } = compared
        const update = JSON.stringify([task.id, given, sent])
        const isRight = stated.versionMatches(compared)
        if (isRight) taken.add(update)
        return isRight || (task.assignment !== null && taken.has(update))
      },
      breaks: 'version.stale.reassign',
    },
    'an If-Match that is no timestamp is taken': {
      ...takesToo(({ given }) => given.startsWith('not')),
      breaks: 'version.wrong.garbage version.wrong.garbage.status',
    },
    'an If-Match that is no timestamp is answered 400': {
      mismatchStatus: ({ given }) => (Number.isNaN(milliseconds(given)) ? 400 : 409),
      breaks: 'version.wrong.garbage.status version.star version.wrong.padded',
    },
    'an If-Match of * is taken': {
      ...takesToo(({ given }) => given === '*'),
      breaks: 'version.star',
    },
    'an If-Match of * is taken on unassign': {
      ...takesToo(({ op, given }) => op === 'assign.unassign' && given === '*'),
      breaks: 'version.star',
    },
    'an If-Match that is no timestamp is taken on unassign': {
      ...takesToo(({ op, given }) => op === 'assign.unassign' && given.startsWith('not')),
      breaks: 'version.wrong.garbage version.wrong.garbage.status',
    },
    'an update that repeats the assignment is taken with any If-Match': {
      ...takesToo(
        ({ sent, task }) =>
          sent.assigned_to_id === task.assignment?.assigned_to_id &&
          sent.assigned_by_id === task.assignment.assigned_by_id,
      ),
      breaks: 'version.wrong.repeated version.stale.reassign',
      mayBreak: [...races, ...besides],
    },
    'an update in the name of the assignee is taken with any If-Match': {
      ...takesToo(({ sent, task }) => sent.assigned_by_id === task.assignment?.assigned_to_id),
      breaks: 'version.wrong.repeated',
      mayBreak: [...races, ...besides],
    },
    'an If-Match with which the version begins is taken': {
      ...takesToo(({ given, current }) => current.startsWith(given)),
      breaks: 'version.wrong.garbage',
    },
    'If-Match is not required to assign to a team': {
      ifMatchIsRequired: ({ sent }) => sent.assigned_to_type !== 'TEAM',
      breaks: 'version.required',
    },
    'If-Match is not required': {
      ifMatchIsRequired: () => false,
      breaks: 'version.required version.required.unassign',
    },
  }),
  ...(['assign.update', 'assign.unassign'] as const).map((kind) =>
    fault(`If-Match is not required for ${kind}`, {
      ifMatchIsRequired: ({ op }) => op !== kind,
      breaks: [kind === 'assign.update' ? 'version.required' : 'version.required.unassign'],
    }),
  ),
  ...faultsNamed({
    'an If-Match that differs in the last digit is taken on unassign': {
      ...takesToo(
        ({ op, given, current }) =>
          op === 'assign.unassign' && given.slice(0, -2) === current.slice(0, -2),
      ),
      breaks: [wrongUnassign],
      mayBreak: 'version.wrong.near version.stale.unassign',
    },
    'the beginning of the version is enough on unassign': {
      versionAfter: endsInNoZero,
      ...takesToo(
        ({ op, given, current }) =>
          op === 'assign.unassign' &&
          given.length > 18 &&
          current.startsWith(given.replace(/\D$/, '')),
      ),
      breaks: 'version.wrong.cut version.wrong.shorter',
    },
    'the beginning of the version is enough': {
      versionAfter: endsInNoZero,
      ...takesToo(
        ({ given, current }) => given.length > 18 && current.startsWith(given.replace(/\D$/, '')),
      ),
      breaks: 'version.wrong.cut version.wrong.shorter',
    },
    'the zone of an If-Match is not looked at': {
      ...takesToo(({ given, current }) => given.slice(0, -6) === current.slice(0, -1)),
      breaks: 'version.wrong.zone',
    },
    'versions are compared to the hundredth of a second': {
      ...takesToo(
        ({ given, current }) =>
          given.slice(0, 22) === current.slice(0, 22) && /^[\d.:TZ-]+$/.test(given),
      ),
      breaks: ['version.wrong.shorter', 'version.wrong.near', 'version.wrong.finer', wrongUnassign],
      mayBreak: ['version.stale.*', ...races],
    },
    'digits beyond those that are shown are passed over': {
      ...takesToo(
        ({ given, current }) => given.endsWith('Z') && given.startsWith(current.slice(0, -1)),
      ),
      breaks: 'version.wrong.finer',
    },
    'the version is looked for within If-Match': {
      ...takesToo(({ given, current }) => given.includes(current)),
      breaks: 'version.wrong.padded',
    },
  }),
]
