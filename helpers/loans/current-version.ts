import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../engine/http/client.ts'
import { FateUnknown } from '../../engine/http/fate-unknown.ts'
import { Trouble } from '../../engine/outcome.ts'
import { isAccepted, isObject, jsonIn, type Task, taskRead, told } from '../service/answers.ts'
import type { How, Service, Version } from '../service/service.ts'

/**
 * Versions of a task that are known to be replaced, so that a read which still shows one is
 * lagging: those taken as If-Match, and those seen before a later one was taken. The service may
 * touch a task by itself, so the versions that were seen are more than those that were taken.
 */
export type Consumed = Set<string> & { seen?: Set<string> }

export type Steady = {
  /** the task as it is once reads show no version that was already consumed (rule R4) */
  settled(id: string): Promise<Task>
  /**
   * Sends an update that is meant to carry the current version. Somebody else may change the task
   * in between, and the service may touch it once more after its answer: a 409 is followed by
   * reading, as the contract tells callers to, and only a 409 on a value still current is handed on.
   */
  putCurrent(on: Version, body: unknown, how?: How): Promise<Answer>
  /** shows the task again and again until the time to settle is over: nothing passes by lag */
  watch(id: string, look: (task: Task) => void): Promise<void>
  /** reads the task until it is as expected, or the time to settle is over */
  until(id: string, expected: (task: Task) => boolean): Promise<void>
}

const rounds = 4

/** The version that an answer shows; an update that changes nothing may leave it as it was. */
function versionIn(answer: Answer): unknown {
  const body = jsonIn(answer)
  return isObject(body) ? body.updated_at : undefined
}

/** Updates that survive other writers, lagging reads and lost answers, within bounds. */
export function steadyOn(service: Service, consumed: Consumed, settleMs: number): Steady {
  consumed.seen ??= new Set()
  const { seen } = consumed

  const read = async (id: string) => {
    const found = taskRead(await service.readTask(id))
    seen.add(found.updated_at)
    return found
  }

  /** An accepted If-Match was current: whatever else had been seen until then was not any more. */
  const replace = (taken: string, seenBefore: string[], answer: Answer) => {
    const produced = versionIn(answer)
    if (produced === taken) return
    for (const version of [...seenBefore, taken]) if (version !== produced) consumed.add(version)
    if (typeof produced === 'string') seen.add(produced)
  }

  const settled = async (id: string) => {
    const deadline = performance.now() + settleMs
    for (let pause = 20; ; pause = Math.min(pause * 2, 250)) {
      // A slow read shows what was when it was asked: the last one is asked after the deadline.
      const late = performance.now() > deadline
      const found = await read(id)
      if (!consumed.has(found.updated_at) || late) return found
      await sleep(pause)
    }
  }

  /** The version that followed the one sent, once a read shows it; undefined while none does. */
  const successorOf = async ({ id, updated_at }: Version) => {
    const deadline = performance.now() + settleMs
    for (let pause = 20; ; pause = Math.min(pause * 2, 250)) {
      const late = performance.now() > deadline
      const found = await read(id)
      if (found.updated_at !== updated_at && !consumed.has(found.updated_at)) return found
      if (late) return undefined
      await sleep(pause)
    }
  }

  const putCurrent = async (on: Version, body: unknown, how?: How) => {
    let version = on
    let failures = 0
    for (let round = 1; ; round += 1) {
      const seenBefore = [...seen]
      let answer: Answer
      try {
        answer = await service.put(on.id, version.updated_at, body, how)
      } catch (error) {
        if (!(error instanceof FateUnknown)) throw error
        const moved = await successorOf(version)
        if (moved) throw new Trouble(`${error.message}; the task has changed all the same`)
        failures += 1
        if (failures > 1) throw error
        continue
      }
      if (isAccepted(answer)) replace(version.updated_at, seenBefore, answer)
      if (answer.status === 500 && failures === 0) {
        failures += 1
        version = (await successorOf(version)) ?? version
        continue
      }
      if (answer.status !== 409) return answer
      const moved = await successorOf(version)
      if (!moved) return answer
      if (round === rounds)
        throw new Trouble(`${told(answer)} ${rounds} times: somebody else keeps changing the task`)
      version = moved
    }
  }

  const watch = async (id: string, look: (task: Task) => void) => {
    const deadline = performance.now() + settleMs
    for (let pause = 25; ; pause *= 2) {
      const late = performance.now() >= deadline
      look(await read(id))
      if (late) return
      await sleep(Math.max(0, Math.min(pause, deadline - performance.now())))
    }
  }

  const until = async (id: string, expected: (task: Task) => boolean) => {
    const deadline = performance.now() + settleMs
    for (let pause = 10; ; pause = Math.min(pause * 2, 100)) {
      const late = performance.now() > deadline
      if (expected(await settled(id)) || late) return
      await sleep(pause)
    }
  }

  return { settled, putCurrent, watch, until }
}
