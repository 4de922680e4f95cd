import { natural, stated } from './bug.ts'

const CONFLICT =
  "Assignment update: the If-Match value differs from the task's current updated_at. (409)"
const CONDITION = "The task exists and If-Match equals the task's current updated_at."

/** Versions, conflicts and races. */
export const versionBugs = [
  stated({
    name: 'every-update-409',
    breaks: CONDITION,
    does: 'every assignment update is refused as stale',
    hooks: () => ({ versionMatches: () => false }),
  }),
  stated({
    name: 'version-compared-to-the-second',
    breaks: CONFLICT,
    does: 'a stale If-Match is taken when it lies in the same second as the current version',
    hooks: () => ({
      versionMatches: (ok, { given, before }) =>
        ok || given.slice(0, 19) === before.updated_at.slice(0, 19),
    }),
  }),
  stated({
    name: 'race-between-check-and-write',
    breaks: 'Task updates use optimistic concurrency: … a stale value gives 409.',
    does: 'between the check of the version and the write lie 40 ms, so two updates at once both pass',
    hooks: () => ({ pause: () => 40 }),
  }),
  stated({
    name: 'reassign-keeps-updated-at',
    breaks: 'It changes when the task changes. (updated_at)',
    does: 'a reassign leaves updated_at as it was; a first assign and an unassign renew it',
    hooks: () => ({
      stamp: (ms, { before, order }) =>
        before.assignment && order.target ? Date.parse(before.updated_at) : ms,
    }),
  }),
  stated({
    name: 'unassign-ignores-if-match',
    breaks: CONFLICT,
    does: 'an unassign goes through with any If-Match',
    hooks: () => ({ versionMatches: (ok, { order }) => ok || !order.target }),
  }),
  natural({
    name: 'refused-change-renews-version',
    breaks: 'natural: an update that is refused with 409 leaves the task unchanged',
    does: 'an update refused with 409 gives the task a new updated_at',
    hooks: () => ({
      changes: (changes, { before, outcome, moment }) =>
        outcome === 'refused'
          ? [{ what: 'touched', taskId: before.id, at: moment, stamp: moment }]
          : changes,
    }),
  }),
] as const
