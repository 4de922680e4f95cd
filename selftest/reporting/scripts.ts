// Makes the script of each fault, in simulated time, for repeat.test.ts to run: reports/scripts.json.
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { root } from '../kept.ts'
import type { Fault } from '../proofs/fault.ts'
import { doInProcesses, doJobs, isWorker } from '../simulated/processes.ts'
import { repeatable, type Scripted, scriptedOf } from './scripts-of.ts'

if (isWorker) doJobs((at) => scriptedOf(repeatable[at] as Fault))
else process.exit(await makeAll())

async function makeAll(): Promise<number> {
  const made: Scripted[] = []
  let done = 0
  const places = repeatable.map((_, at) => at)
  const { lost } = await doInProcesses<Scripted>(places, availableParallelism(), (at, scripted) => {
    made[at] = scripted
    done += 1
    if (done % 50 === 0) process.stdout.write(`${done} of ${places.length} scripts\n`)
  })
  writeFileSync(join(root, 'reports/scripts.json'), JSON.stringify(made))
  return lost.length === 0 ? 0 : 1
}
