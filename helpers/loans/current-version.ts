import { describeAnswer, isInternalError } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { FateUnknown } from '../../engine/http/fate-unknown.ts'
import { Trouble } from '../../engine/outcome.ts'
import { poll } from '../../engine/time/polling.ts'
import { statuses } from '../contract/statuses.ts'
import { type Task, taskIn } from '../service/answers.ts'
import type { Service, Version } from '../service/service.ts'
import type { How } from '../service/update-request.ts'

export type CurrentVersion = ReturnType<typeof createCurrentVersion>

export type Window = {
  /** replaces the learned window; 0: a single look */
  limitMs?: number | undefined
  until?: (task: Task) => boolean
  isSeen?: boolean
}

const maxRounds = 6

type Settling = {
  settleMs: number
  windowMs: () => number
  stop: AbortSignal
  late: () => void
}

export function createCurrentVersion(
  service: Service,
  /** whether an accepted update has replaced it: a read that still shows it lags */
  isReplaced: (version: string) => boolean,
  { settleMs, windowMs, stop, late }: Settling,
) {
  const limits = { limitMs: settleMs, stop, maxMs: 250, askLate: true }

  const readOnce = async (id: string) => taskIn(await service.readTask(id))

  const read = async (id: string) => {
    const { last, met } = await poll(() => readOnce(id), isCurrent, limits)
    if (!met) late()
    return last
  }
  const isCurrent = ({ updated_at }: Task) => !isReplaced(updated_at)
  /** the last read, and whether it is of the current version and as expected */
  const readShowing = async (id: string, isExpected: (task: Task) => boolean) => {
    const isShown = (task: Task) => isCurrent(task) && isExpected(task)
    const { last, met: isMet } = await poll(() => readOnce(id), isShown, limits)
    if (!isCurrent(last)) late()
    return { last, isMet }
  }
  const newest = async (task: Task) => (isCurrent(task) ? task : read(task.id))

  /** undefined if none shows within SETTLE_MS; after several vain rounds it first waits longer */
  const successorOf = async ({ id, updated_at }: Version, round = 1) => {
    const isNext = (found: Task) => found.updated_at !== updated_at && isCurrent(found)
    const waits = { isSeen: round > 1, firstMs: 10 * 2 ** round }
    const { last, met } = await poll(() => readOnce(id), isNext, { ...limits, ...waits })
    return met ? last : undefined
  }

  /**
   * After a mismatch it reads and tries again: one is returned only to a version that is still current, with the read that
   * shows that. `isOther`: another version is sent, so that every mismatch may be returned.
   */
  const sendOn = async (
    on: Version,
    send: (on: Version) => Promise<Answer>,
    isOther = false,
  ): Promise<{ answer: Answer; seen?: Task | undefined }> => {
    let now = on
    for (let round = 1; ; round += 1) {
      const answer = await send(now)
      if (answer.status !== statuses.staleVersion || (isOther && round === maxRounds))
        return { answer }
      const seen = isOther ? await read(on.id) : await successorOf(now, round)
      if (!seen || seen.updated_at === now.updated_at) return { answer, seen }
      if (round === maxRounds)
        throw new Trouble(
          `${describeAnswer(answer)} ${maxRounds} times: each time the version had changed before the update`,
        )
      now = seen
    }
  }

  /** Sends an update with the current version, and once more after a 500 or without an answer. */
  const put = async (on: Version, body: unknown, how?: How) => {
    let failures = 0
    const send = async (version: Version): Promise<Answer> => {
      try {
        const answer = await service.put(on.id, version.updated_at, body, how)
        if (!isInternalError(answer) || failures > 0) return answer
      } catch (error) {
        if (!(error instanceof FateUnknown)) throw error
        const moved = await successorOf(version)
        if (moved) throw new Trouble(`${error.message}, but the task has changed`)
        if (failures > 0) throw error
        failures += 1
        return send(version)
      }
      failures += 1
      return send((await successorOf(version)) ?? version)
    }
    return (await sendOn(on, send)).answer
  }

  /** the last read that does not lag, if any */
  const watch = async (
    id: string,
    { limitMs = windowMs(), until, isSeen }: Window = {},
    look: (task: Task) => void = () => {},
  ) => {
    let last: Task | undefined
    const lookOnce = async () => {
      const seen = await readOnce(id)
      look(seen)
      if (isCurrent(seen)) last = seen
      return seen
    }
    // Without a condition, a short window gets three looks: a change stays visible.
    const firstMs = until ? 25 : Math.max(25, Math.min(75, limitMs / 3))
    const rarely = { ...limits, limitMs, firstMs, isSeen, maxMs: Number.POSITIVE_INFINITY }
    await poll(lookOnce, until ?? (() => false), rarely)
    return last
  }

  const readUntil = async (id: string, expected: (task: Task) => boolean) => {
    await poll(() => read(id), expected, { ...limits, firstMs: 10, maxMs: 100 })
  }

  return { read, readShowing, newest, put, sendOn, isReplaced, watch, readUntil }
}
