// What instrumented modules call, in whatever thread they run. It rests on nothing but Node.
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

/** What all threads of a process share: the one place that is changed, and the places that were reached. */
export type Memory = { on: number; seed: number; reached: Uint8Array }

const key = 'line mutants'

/** Threads are given the data of the one that starts them. */
export const memory = getEnvironmentData(key) as unknown as Memory | undefined

export function openMemory(on: number, seed: number, size: number): Memory {
  const made = { on, seed, reached: new Uint8Array(new SharedArrayBuffer(size)) }
  setEnvironmentData(key, made)
  return made
}

/** The places that were reached since they were asked for. */
export function takeReached(of: Memory): number[] {
  const places = [...of.reached.keys()].filter((place) => of.reached[place] === 1)
  of.reached.fill(0)
  return places
}

const { on = -1, reached = new Uint8Array() } = memory ?? {}

/** Whether this line is changed; that it was asked is remembered. */
export function isOn(place: number): boolean {
  reached[place] = 1
  return place === on
}
