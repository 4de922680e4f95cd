// npm run noticed -- smoke   how many planted faults and dead things a profile notices, in simulated time
import { availableParallelism } from 'node:os'
import { Impossible } from '../../engine/impossible.ts'
import { doInProcesses, doJobs, isWorker } from '../simulated/processes.ts'
import { dead } from './dead/dead.ts'
import type { Bent } from './fault.ts'
import { proofs } from './proofs.ts'
import { runAgainst } from './prove.ts'

type Broken = { kind: 'faults' | 'dead things'; name: string; bent: Bent }

const [profile = 'smoke'] = process.argv.slice(2)
/** Some faults are listed for several areas. */
const all = new Map<string, Broken>([
  ...proofs
    .filter(({ isVariant }) => !isVariant)
    .map(({ name, bent }): [string, Broken] => [name, { kind: 'faults', name, bent }]),
  ...dead.map(({ name, by: _, ...bent }): [string, Broken] => [
    `dead ${name}`,
    { kind: 'dead things', name, bent },
  ]),
])
const list = [...all.values()]

/** A run notices what makes it end otherwise than with 0, or warn. */
async function isNoticed(at: number): Promise<boolean> {
  const { bent } = list[at] as Broken
  try {
    const { exitCode, report } = await runAgainst(
      { events: 300, ...bent },
      ['--profile', profile],
      { makers: {} },
    )
    return exitCode !== 0 || (report?.counts.should.warn ?? 0) > 0
  } catch (error) {
    // It ends with 2: the settings are called wrong.
    if (error instanceof Impossible) return true
    throw error
  }
}

if (isWorker) doJobs(isNoticed)
else {
  const noticed = { faults: 0, 'dead things': 0 }
  const total = { faults: 0, 'dead things': 0 }
  let done = 0
  await doInProcesses<boolean>([...list.keys()], availableParallelism(), (at, was) => {
    const { kind } = list[at] as Broken
    total[kind] += 1
    if (was) noticed[kind] += 1
    done += 1
    if (done % 100 === 0) process.stdout.write(`${done} of ${list.length}\n`)
  })
  for (const kind of ['faults', 'dead things'] as const)
    process.stdout.write(`${profile} noticed ${noticed[kind]} of ${total[kind]} ${kind}\n`)
  process.exit(0)
}
