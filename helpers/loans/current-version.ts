import { describeAnswer, isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { FateUnknown } from '../../engine/http/fate-unknown.ts'
import { Trouble } from '../../engine/outcome.ts'
import { poll } from '../../engine/time/polling.ts'
import { type Task, taskIn } from '../service/answers.ts'
import type { Service, Version } from '../service/service.ts'
import type { How } from '../service/update-request.ts'

/**
 * Versions of a task that are known to be replaced, so that a read which still shows one is
 * lagging: those taken as If-Match, and those seen before a later one was taken. The service may
 * touch a task by itself, so the versions that were seen are more than those that were taken.
 */
export type UsedVersions = Set<string> & { seen?: Set<string> }

/** A borrowed task's current version, past other writers, lagging reads and lost answers. */
export type CurrentVersion = {
  /** the task as it is once reads show no version that was already used up (rule R4) */
  read(id: string): Promise<Task>
  /** a task that was read, and is read again only where its version was replaced since */
  newest(task: Task): Promise<Task>
  /**
   * Sends an update that is meant to carry the current version. Somebody else may change the task
   * in between, and the service may touch it once more after its answer: a 409 is followed by
   * reading, as the contract tells callers to, and only a 409 on a value still current is handed on.
   */
  put(on: Version, body: unknown, how?: How): Promise<Answer>
  /** the task as it was read last before put sent the update that this answers: it may have been touched meanwhile */
  onto(answer: Answer): Task | undefined
  /** learns that an update which was not sent by put was accepted with this version */
  noteAccepted(taken: string, answer: Answer): void
  /** the task with a version that followed this one; undefined where none shows in time to settle */
  successorOf(version: Version): Promise<Task | undefined>
  /** shows the task again and again for as long as a window is now, where nothing is to happen, and gives the last */
  watch(id: string, look: (task: Task) => void, window?: Window): Promise<Task>
  /** reads the task until it is as expected, or the time to settle is over */
  readUntil(id: string, expected: (task: Task) => boolean): Promise<void>
}

export type Window = {
  /** in place of what the run has learned; 0: one look */
  limitMs?: number | undefined
  /** whether what is seen is all that there is to see */
  until?: (task: Task) => boolean
  /** it was read just now */
  isSeen?: boolean
}

const maxRounds = 6

/** The version that an answer shows; an update that changes nothing may leave it as it was. */
function versionIn(answer: Answer): unknown {
  const body = jsonIn(answer)
  return isObject(body) ? body.updated_at : undefined
}

type Settling = {
  settleMs: number
  /** how long a window is now; left out: as long as the time to settle */
  windowMs?: () => number
  stop: AbortSignal
  /** hears of a read that shows a replaced version when the time to settle is over */
  late?: () => void
}

/** Reads and updates tasks by their current versions, within the time to settle. */
export function createCurrentVersion(
  service: Service,
  used: UsedVersions,
  { settleMs, windowMs = () => settleMs, stop, late = () => {} }: Settling,
): CurrentVersion {
  used.seen ??= new Set()
  const { seen } = used
  const patience = { limitMs: settleMs, stop, maxMs: 250, askLate: true }

  const readOnce = async (id: string) => {
    const found = taskIn(await service.readTask(id))
    seen.add(found.updated_at)
    return found
  }

  /** An accepted If-Match was current: whatever else had been seen until then was not any more. */
  const replace = (taken: string, answer: Answer, seenBefore = [...seen]) => {
    const produced = versionIn(answer)
    if (produced === taken) return
    for (const version of [...seenBefore, taken]) if (version !== produced) used.add(version)
    if (typeof produced === 'string') seen.add(produced)
  }

  const read = async (id: string) => {
    const { last, met } = await poll(() => readOnce(id), isUnused, patience)
    if (!met) late()
    return last
  }
  const isUnused = ({ updated_at }: Task) => !used.has(updated_at)
  const newest = async (task: Task) => (isUnused(task) ? task : read(task.id))

  const successorOf = async ({ id, updated_at }: Version) => {
    const isNext = (found: Task) => found.updated_at !== updated_at && isUnused(found)
    const { last, met } = await poll(() => readOnce(id), isNext, patience)
    return met ? last : undefined
  }

  const ontoOf = new WeakMap<Answer, Task>()
  const put = async (on: Version, body: unknown, how?: How) => {
    let version = on
    let read: Task | undefined
    let failures = 0
    for (let round = 1; ; round += 1) {
      const seenBefore = [...seen]
      let answer: Answer
      try {
        answer = await service.put(on.id, version.updated_at, body, how)
      } catch (error) {
        if (!(error instanceof FateUnknown)) throw error
        const moved = await successorOf(version)
        if (moved) throw new Trouble(`${error.message}, but the task has changed`)
        failures += 1
        if (failures > 1) throw error
        continue
      }
      if (isAccepted(answer)) replace(version.updated_at, answer, seenBefore)
      if (read) ontoOf.set(answer, read)
      if (answer.status === 500 && failures === 0) {
        failures += 1
        read = await successorOf(version)
        version = read ?? version
        continue
      }
      if (answer.status !== 409) return answer
      const moved = await successorOf(version)
      if (!moved) return answer
      if (round === maxRounds)
        throw new Trouble(
          `${describeAnswer(answer)} ${maxRounds} times: each time the version had changed before the update`,
        )
      version = moved
      read = moved
    }
  }

  const watch: CurrentVersion['watch'] = async (
    id,
    look,
    { limitMs = windowMs(), until, isSeen } = {},
  ) => {
    const lookOnce = async () => {
      const seen = await readOnce(id)
      look(seen)
      return seen
    }
    // What nothing ends early is looked at three times where the window is short: a change stays.
    const firstMs = until ? 25 : Math.max(25, Math.min(75, limitMs / 3))
    const rarely = { ...patience, limitMs, firstMs, isSeen, maxMs: Number.POSITIVE_INFINITY }
    return (await poll(lookOnce, until ?? (() => false), rarely)).last
  }

  const readUntil = async (id: string, expected: (task: Task) => boolean) => {
    await poll(() => read(id), expected, { ...patience, firstMs: 10, maxMs: 100 })
  }

  return {
    read,
    newest,
    put,
    onto: (answer) => ontoOf.get(answer),
    noteAccepted: replace,
    successorOf,
    watch,
    readUntil,
  }
}
