import { test as base, describe, inject } from 'vitest'
import { clausesOn, declareSelection } from '../../../engine/clause/clause.ts'
import { expect, expectThat } from '../../../engine/clause/matchers.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { problem } from '../../../engine/problem.ts'
import { premise } from '../../../helpers/service/answers.ts'

/** What a lamp shows; undefined: nobody can see it. */
export type Lamp = { on?: boolean; bright?: boolean; colours?: string[]; broken?: boolean }

declare module 'vitest' {
  interface ProvidedContext {
    lamp: Lamp
  }
}

const test = base.extend('lamp', async () => {
  const lamp = inject('lamp')
  if (lamp.broken) throw new Trouble('the lamp is broken')
  return lamp
})
const clause = clausesOn(test)
const section = 'Lamps'
const seen = { expected: 'bright', got: 'dark', judged: [] }

describe('Lamps', () => {
  clause('lamp.bright', { must: 'be bright when it is on', section }, async ({ lamp }) => {
    premise(lamp.on === true, 'data', 'the lamp is off')
    expectThat(lamp.bright === true, 'the lamp is dark', seen)
  })

  clause(
    'lamp.twice',
    { must: 'be bright, which is looked at twice', section },
    async ({ lamp }) => {
      expect(lamp.bright ? [] : [problem('it is dark', seen)]).toBeNone()
      expectThat(lamp.bright === true, 'it is dark indeed', seen)
    },
  )

  clause('lamp.colours', { must: 'have no two equal colours', section }, async ({ lamp }) => {
    const { colours = [] } = lamp
    if (colours.length === 0) throw new NotDecidable('data', 'no colour is shown')
    expectThat(new Set(colours).size === colours.length, 'two colours are equal', seen)
  })
})

declareSelection()
