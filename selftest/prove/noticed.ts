// How many planted faults and dead things a profile notices.
import { Impossible } from '../../engine/impossible.ts'
import { dead } from '../proofs/dead.ts'
import type { Bent } from '../proofs/fault.ts'
import { runAgainst } from '../proofs/prove.ts'
import { proofs } from '../proofs/trials.ts'
import { chosen, type Kind } from './kind.ts'

type Broken = { kind: 'faults' | 'dead things'; name: string; bent: Bent }

/** Some faults are listed for several areas. */
const all = new Map<string, Broken>([
  ...proofs
    .filter(({ isVariant }) => !isVariant)
    .map(({ name, bent }): [string, Broken] => [name, { kind: 'faults', name, bent }]),
  ...dead.map(({ name, by: _, ...bent }): [string, Broken] => [
    `dead ${name}`,
    { kind: 'dead things', name: `dead ${name}`, bent },
  ]),
])

/** A run notices what makes it end otherwise than with 0, or warn. */
export const noticed: Kind<string, boolean> = {
  sources: [],
  nameOf: (name) => name,
  async act(name, { words: [profile = 'smoke'] }) {
    const { bent } = all.get(name) as Broken
    try {
      const bentBy = { events: 300, ...bent }
      const { exitCode, report } = await runAgainst(bentBy, ['--profile', profile], { makers: {} })
      return exitCode !== 0 || (report?.counts.should.warn ?? 0) > 0
    } catch (error) {
      // It ends with 2: the settings are called wrong.
      if (error instanceof Impossible) return true
      throw error
    }
  },
  async prove(flags, tryAll) {
    const names = chosen([...all.values()], flags).map(({ name }) => name)
    const count = { faults: [0, 0], 'dead things': [0, 0] } as Record<Broken['kind'], number[]>
    await tryAll(names, (name, was) => {
      const of = count[(all.get(name) as Broken).kind]
      count[(all.get(name) as Broken).kind] = [Number(of[0]) + Number(was), Number(of[1]) + 1]
    })
    const said = Object.entries(count).map(([kind, [some, of]]) => `${some} of ${of} ${kind}`)
    return { wrong: [], figure: `${said.join(' and ')} noticed` }
  },
}
