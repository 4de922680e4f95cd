import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { listClauses } from '../../program/clauses.ts'
import { checkCommand, readCheckFlags } from '../../program/input/check-flags.ts'
import { readCompareFlags } from '../../program/input/compare-flags.ts'
import { UsageError } from '../../program/input/mistakes.ts'
import { type Call, describeCommand } from '../../program/input/read-flags.ts'
import { readServeFlags } from '../../program/input/serve-flags.ts'
import { builtProgram } from '../built.ts'
import { cleanEnv } from '../clean-env.ts'
import { openTestFolder } from '../test-end.ts'

const readers: Record<string, (call: Call) => unknown> = {
  check: readCheckFlags,
  compare: readCompareFlags,
  clauses: listClauses,
  serve: readServeFlags,
}

const leaveOut =
  '--shard is gone; leave it out; a run against an ordinary service takes under a minute.'

const removed: [command: string, argv: string[], sentence: string][] = [
  ['check', ['--shard', '1/4'], leaveOut],
  ['check', ['--shard=1/4', '--strict'], leaveOut],
  [
    'check',
    ['--merge', 'a', 'b'],
    '--merge is gone; make one run; against an ordinary service it takes under a minute.',
  ],
  ['check', ['--rerun', 'report.json'], '--rerun is gone; write --failed REPORT.'],
  [
    'check',
    ['--accept-rerun'],
    '--accept-rerun is gone; write --failed REPORT; a clause that passes now counts as passed.',
  ],
  [
    'check',
    ['--baseline', 'a', '--baseline-days', '30'],
    '--baseline-days is gone; keep the report of a newer run as the baseline.',
  ],
  ['check', ['--slim'], '--slim is gone; set BODIES=none for a smaller report.'],
  [
    'compare',
    ['a', 'b', '--by', 'folder'],
    '--by is gone; write --html FILE: the page groups what differs.',
  ],
  [
    'clauses',
    ['--forms'],
    '--forms is gone; read the suites: what a clause asks stands in its body.',
  ],
  [
    'serve',
    ['--save', 'state'],
    '--save is gone; write the world with curl http://127.0.0.1:4010/__world > world.json.',
  ],
  [
    'serve',
    ['--like', 'a', '--with-breaches'],
    '--with-breaches is gone; leave it out: what that service broke is kept here.',
  ],
]

describe('a flag that was removed', () => {
  test.each(removed)(
    '%s %j: one sentence that says what to do instead',
    async (command, argv, sentence) => {
      const call = { argv, env: {}, cwd: '', out: { write: () => {} } }
      const read = async () => readers[command]?.(call)
      await expect(read()).rejects.toThrow(new UsageError(sentence))
      await expect(read()).rejects.toThrow(UsageError)
    },
  )

  test('is in the list above, and in no help', () => {
    const listed = removed.flatMap(([command, argv]) =>
      command === 'check' ? argv.filter((word) => /^--(?!strict|baseline$)/.test(word)) : [],
    )
    const bare = new Set(listed.map((word) => word.replace(/^--|=.*$/g, '')))
    expect([...bare].sort()).toEqual(Object.keys(checkCommand.removed).sort())
    for (const name of bare) expect(describeCommand(checkCommand)).not.toContain(`--${name} `)
  })

  test('ends the program with 2, and with nothing else on its outputs', () => {
    const cwd = openTestFolder()
    for (const command of Object.keys(readers)) {
      const [, argv = [], sentence] = removed.find(([name]) => name === command) ?? []
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [builtProgram(), command, ...argv],
        { cwd, env: cleanEnv(), encoding: 'utf8' },
      )
      expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: `${sentence}\n` })
    }
  })
})
