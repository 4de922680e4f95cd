import type { Faker } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'

// The package's main entry loads every language, which takes longer than making a world.
const FakerOf = english.constructor as new (options: object) => Faker

/** A generator of names and texts; deterministic by seed. */
export const fakerOf = (seed: number): Faker =>
  new FakerOf({ locale: english.rawDefinitions, seed })
