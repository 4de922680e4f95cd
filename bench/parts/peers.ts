import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { builtProgram } from '../../selftest/built.ts'
import type { Row } from '../figures.ts'
import { interleaved } from '../interleaved.ts'
import type { Part } from '../part.ts'
import { writeInputs } from '../peers/inputs.ts'
import { beside, root, type Sample, timed, timedNode } from '../processes.ts'
import { scratch } from '../scratch.ts'

const count = 200
const folder = join(scratch, 'peers')
const installed = join(root, 'bench/peers/node_modules')

/** A peer's program, where npm has put it. */
function programOf(file: string): string {
  const path = join(installed, file)
  if (!existsSync(path)) throw new Error('is not installed (npm ci --prefix bench/peers)')
  return path
}

/** Whoever looks for a newer version of itself, or tells somebody of its use, would be slow at that. */
const quiet = {
  CI: 'true',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  SPECMATIC_DISABLE_TELEMETRY: 'true',
}
const given = { cwd: folder, env: quiet }

let baseUrl = ''

const ways = {
  'bare undici and ajv': () =>
    timedNode([join(root, 'bench/processes/checks-bare.mjs'), folder], given),
  'this suite’s runner and client': () =>
    timedNode([join(root, 'bench/processes/checks-as-clauses.mjs'), folder]),
  'Redocly respect': async () =>
    timedNode([programOf('@redocly/cli/bin/cli.js'), 'respect', 'arazzo.json'], given),
  newman: async () =>
    timedNode([programOf('newman/bin/newman.js'), 'run', 'collection.json', '--silent'], given),
  specmatic: async () => {
    const jar = programOf('specmatic/specmatic.jar')
    await promisify(execFile)('java', ['-version']).catch(() => {
      throw new Error('is not run: it needs Java, and there is none')
    })
    return timed('java', ['-jar', jar, 'test', 'openapi.json', `--testBaseURL=${baseUrl}`], given)
  },
}
type Name = keyof typeof ways

export const peers: Part = {
  title: `${count} reads with their status and schema checked, by other tools`,
  async measure({ rounds }) {
    const service = await beside<Record<string, string>>('bench/processes/service.ts')
    try {
      baseUrl = service.told.BASE_URL ?? ''
      builtProgram()
      await writeInputs(folder, service.told, count)
      const requests = async () => (await service.ask<{ requests: number }>()).requests
      const names = Object.keys(ways) as Name[]
      const counted = (name: Name) => async (): Promise<Sample> => {
        const before = await requests()
        const sample = await ways[name]()
        const sent = (await requests()) - before
        // A tool that left checks out would look fast.
        if (sent < count) throw new Error(`sent ${sent} of ${count} requests`)
        return { ...sample, told: { sent } }
      }
      const found = await interleaved(
        Object.fromEntries(names.map((name) => [name, counted(name)])) as Record<
          Name,
          () => Promise<Sample>
        >,
        rounds,
      )
      return {
        rows: names.map((name): Row => {
          const row: Row = { what: name, unit: 's', values: found.seconds([name]) }
          if (name === 'bare undici and ajv') return row
          const ratio = found.seconds(
            [name, 'bare undici and ajv'],
            (own = 0, bare = 1) => own / bare,
          )
          return { ...row, ratio, ...(name === 'this suite’s runner and client' && { most: 3.2 }) }
        }),
        notes: ['Ratio: beside bare undici and ajv, whole processes, start with it.'],
      }
    } finally {
      await service.close()
    }
  },
}
