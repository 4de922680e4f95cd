import { createHash } from 'node:crypto'
import type { Faker } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'
import { clock } from './time/timers.ts'

export type { Faker } from '@faker-js/faker'

// The package's main entry loads every language, which costs each run 0.1 s.
const FakerOf = english.constructor as new (options: object) => Faker

/** The random source of a clause: the same for the same seed and name, in any run. */
export function randomFor(seed: number, name: string): Faker {
  const digest = createHash('sha256').update(`${seed} ${name}`).digest()
  const faker = new FakerOf({ locale: english.rawDefinitions })
  faker.seed(digest.readUInt32LE(0))
  faker.setDefaultRefDate(() => new Date(clock.date()))
  return faker
}
