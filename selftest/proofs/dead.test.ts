import { expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'
import { dead } from './dead/dead.ts'
import { free } from './dead/free.ts'
import { proveTrials } from './prove-area.ts'
import { ofDead } from './trials.ts'

proveTrials(
  'a thing that the contract names is dead: no run ends green without a warning',
  ofDead(),
)

test('every exemption of dead things matches one', () => {
  for (const glob of Object.keys(free))
    expect(
      dead.filter(({ name }) => matchesAny(name, [glob])),
      glob,
    ).not.toEqual([])
})
