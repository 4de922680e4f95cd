import { commandLine } from '../../engine/called.ts'
import { mainSettings, table as settings } from '../../helpers/settings/table.ts'
import { present } from '../../reporting/parts/texts.ts'
import { type Command, type CommandName, commands, type Flag } from './commands.ts'

const exitCodes = {
  0: 'no must is broken; the summary line says what was not checked',
  1: 'nonconformant, or incomplete: a clause of --require was skipped',
  2: 'the run could not be made, a report could not be written, or a report contained the key',
  3: 'inconclusive: nothing failed, but something that must be decided was not',
  '130, 143': 'interrupted by SIGINT or SIGTERM: tasks were put back',
}

export const describeProgram = (): string =>
  [
    `${commandLine('COMMAND', '[FLAGS]')}\n`,
    ...columns(Object.entries(commands).map(([name, { meaning }]) => [name, meaning])),
    `\n${commandLine('COMMAND', '--help')} lists the flags of a command; --version says which suite this is.\n`,
    describeRun(),
  ].join('\n')

export function describeCommand(name: CommandName): string {
  const { about, flags }: Command = commands[name]
  const heads = Object.entries(flags).map(([flag, row]) => [headOf(flag, row), row.meaning])
  const lines = columns([...heads, ['--help', 'show this help']])
  return present([
    `${formOf(name)}\n`,
    about,
    heads.length > 0 && `${lines.join('\n')}\n`,
    name === 'check' && describeRun(),
  ]).join('\n')
}

export function formOf(name: CommandName): string {
  const { words, flags }: Command = commands[name]
  const each = Object.entries(flags).map(([flag, row]) => `[${headOf(flag, row)}]`)
  const more = (words?.form.length ?? 2) > 1 ? [] : ['[…]']
  const taken = [...(words?.form ?? []), ...more, ...(each.length > 3 ? ['[FLAGS]'] : each)]
  return commandLine(name, taken.join(' '))
}

export const headOf = (name: string, { argument }: Flag) =>
  argument === undefined ? `--${name}` : `--${name} ${argument}`

const describeRun = (): string =>
  [
    '  settings that matter, from the environment or .env; docs/settings.md has all',
    ...columns(mainSettings.map((name) => [name, settings[name].meaning])).map(indented),
    '\n  examples',
    ...columns([
      [commandLine('setup'), 'writes .env'],
      [commandLine('check', '--plan'), 'says what a run would cost'],
      [commandLine('check', "--clauses 'task.*' --read-only"), 'checks reads of tasks'],
    ]).map(indented),
    '\n  exit codes',
    ...columns(Object.entries(exitCodes)).map(indented),
    '',
  ].join('\n')

const indented = (line: string) => `  ${line}`

const columns = (rows: readonly (readonly string[])[]): string[] => {
  const width = Math.max(...rows.map(([head = '']) => head.length))
  return rows.map(([head = '', meaning]) => `  ${head.padEnd(width)}  ${meaning}`)
}
