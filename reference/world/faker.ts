import type { Faker } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'

// The package's main entry loads every language, which takes longer than to make a world.
const FakerOf = english.constructor as new (options: object) => Faker

/** Makes up names and texts: the same seed, the same ones. */
export const fakerOf = (seed: number): Faker =>
  new FakerOf({ locale: english.rawDefinitions, seed })
