import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { names as settings } from '../../helpers/settings/table.ts'
import type { CommandName } from '../../program/input/commands.ts'
import { describeCommand, describeProgram } from '../../program/input/help.ts'
import { contract } from '../../program/run/contract.ts'
import { makersOf } from '../../reporting/all.ts'
import { junitOf } from '../../reporting/junit.ts'
import { withRepeats } from '../../reporting/repeat/repeats.ts'
import { variedReport } from '../reporting/sample-reports.ts'
import { read } from './tree.ts'

/** What a help lists below its form: commands, or flags with the form of their values. */
const listedIn = (help: string): string[] =>
  [...help.matchAll(/^ {2}(\S.*?) {2,}/gm)].map(([, head = '']) => head)

const namesIn = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort()

test('the public surface is what it was: only what an issue names may leave it', () => {
  const commands = listedIn(describeProgram())
  const { inputs, outputs } = parse(read('action.yml'))
  const index = read('index.ts')
  const [, types = ''] = /export type \{([^}]*)\}/.exec(index) ?? []
  const { target, ...varied } = variedReport()
  const madeBy = { suiteCommit: 'c', node: '24.0.0', platform: 'linux' }
  const junit = junitOf({ ...varied, ...madeBy, target: { ...target, revision: '7.2' } })
  const { scripts } = withRepeats(variedReport(), contract)
  expect({
    commands,
    flags: Object.fromEntries(
      commands.map((name) => [name, listedIn(describeCommand(name as CommandName))]),
    ),
    settings,
    exports: namesIn(index, /^export async function (\w+)/gm),
    types: [...namesIn(types, /(\w+)/g), ...namesIn(index, /^export type (\w+) =/gm)],
    action: { inputs: Object.keys(inputs), outputs: Object.keys(outputs) },
    reports: [...Object.keys(makersOf(contract)), ...Object.keys(scripts)],
    junit: {
      elements: namesIn(junit, /<([\w-]+)/g),
      attributes: namesIn(junit, / (\w+)="/g),
      properties: namesIn(junit, /<property name="([^"]+)"/g),
    },
  }).toMatchSnapshot()
})
