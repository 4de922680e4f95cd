import { Fault } from '../model.ts'
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
  stated({
    name: 'previous-version-accepted-from-third-change',
    breaks: CONFLICT,
    does: 'once a task has been changed three times, the version before the current one is accepted too',
    hooks: () => {
      const past = new Map<string, string[]>()
      return {
        versionMatches: (ok, { given, before }) => {
          const versions = past.get(before.id) ?? []
          return ok || (versions.length >= 3 && given === versions.at(-1))
        },
        changes: (changes, { before, outcome }) => {
          if (outcome === 'done')
            past.set(before.id, [...(past.get(before.id) ?? []), before.updated_at])
          return changes
        },
      }
    },
  }),
  stated({
    name: 'later-version-accepted',
    breaks: CONFLICT,
    does: 'an If-Match is only refused when it is earlier than updated_at',
    hooks: () => ({
      versionMatches: (ok, { given, before }) =>
        ok || Date.parse(given) > Date.parse(before.updated_at),
    }),
  }),
  stated({
    name: 'version-cached-by-assessment',
    breaks: CONDITION,
    does: 'the version last written is kept by the id of the assessment, which tasks share',
    hooks: () => {
      const written = new Map<string, string>()
      return {
        versionMatches: (ok, { given, before }) => {
          const version = written.get(before.assessment_id)
          return version === undefined ? ok : given === version
        },
        changes: (changes, { before }) => {
          for (const { stamp } of changes)
            written.set(before.assessment_id, new Date(stamp).toISOString())
          return changes
        },
      }
    },
  }),
  stated({
    name: 'updated-at-in-whole-seconds',
    breaks: 'It changes when the task changes. (updated_at)',
    does: 'updated_at is stored without milliseconds, so two changes within a second share one',
    hooks: () => ({ stamp: (ms) => Math.floor(ms / 1000) * 1000 }),
  }),
  stated({
    name: 'simultaneous-updates-all-refused',
    breaks: CONDITION,
    does: 'of updates with the current version that overlap, each finds the lock of another and is refused',
    hooks: () => {
      const locks = new Map<string, { held: number; clashed: boolean }>()
      return {
        versionMatches: (ok, { before, order }) => {
          if (!ok || (!order.target && !before.assignment)) return ok
          const lock = locks.get(before.id) ?? { held: 0, clashed: false }
          lock.held += 1
          lock.clashed ||= lock.held > 1
          locks.set(before.id, lock)
          return ok
        },
        pause: () => 30,
        stamp: (ms, { before }) => {
          const lock = locks.get(before.id)
          if (!lock) return ms
          lock.held -= 1
          if (lock.held === 0) locks.delete(before.id)
          if (lock.clashed) throw new Fault(409, 'VERSION_MISMATCH', 'somebody else writes')
          return ms
        },
      }
    },
  }),
  stated({
    name: 'unassign-checked-before-its-turn',
    breaks: 'Task updates use optimistic concurrency: … a stale value gives 409.',
    does: 'an unassign is written 40 ms after its version was checked, whatever was written meanwhile',
    hooks: () => ({ pause: (ms, { order }) => (order.target ? ms : 40) }),
  }),
  stated({
    name: 'unassign-answers-old-version',
    breaks:
      'Response: the updated Task object, with the assignment details and the new updated_at.',
    does: 'the answer to an unassign shows the updated_at from before it; the stored task has a new one',
    hooks: () => ({
      answer: (task, { before, order }) =>
        order.target ? task : { ...task, updated_at: before.updated_at },
    }),
  }),
  stated({
    name: 'stale-team-update-409-and-stored',
    breaks: CONDITION,
    does: 'an update to a team is stored first and then refused by 409 when its If-Match was stale',
    hooks: () => ({
      changes: (changes, { before, order: { by, target, comment }, outcome, moment }) =>
        outcome === 'refused' && target?.type === 'TEAM'
          ? [
              {
                what: 'assigned',
                taskId: before.id,
                at: moment,
                stamp: moment,
                assignment: {
                  assigned_by_id: by,
                  assigned_to_id: target.id,
                  assigned_to_type: target.type,
                  assignment_comment: comment,
                },
              },
            ]
          : changes,
    }),
  }),
  stated({
    name: 'version-unchecked-for-urgent-tasks',
    breaks: CONFLICT,
    does: 'a task of high priority can be changed with any If-Match',
    hooks: () => ({
      versionMatches: (ok, { before }) => ok || before.custom_metadata?.priority === 'high',
    }),
  }),
  stated({
    name: 'one-lock-for-all-tasks',
    breaks: CONFLICT,
    does: 'while a task is being changed, an update of any other task is refused by 409',
    hooks: () => {
      let held = ''
      return {
        versionMatches: (ok, { before, order }) => {
          if (!ok || (!order.target && !before.assignment)) return ok
          if (held !== '' && held !== before.id) return false
          held = before.id
          return ok
        },
        pause: () => 15,
        stamp: (ms) => {
          held = ''
          return ms
        },
      }
    },
  }),
  stated({
    name: 'third-change-keeps-updated-at',
    breaks: 'It changes when the task changes. (updated_at)',
    does: 'each third change of a task leaves its updated_at as it was',
    hooks: () => {
      const counts = new Map<string, number>()
      return {
        stamp: (ms, { before }) => {
          const count = (counts.get(before.id) ?? 0) + 1
          counts.set(before.id, count)
          return count % 3 === 0 ? Date.parse(before.updated_at) : ms
        },
      }
    },
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
