import { basename, sep } from 'node:path'

type Started = { isBuilt: boolean; file?: string; npmCommand?: string }

const started: Started = {
  isBuilt: import.meta.filename.endsWith('.js'),
  file: process.argv[1],
  npmCommand: process.env.npm_command,
}

/** A command line of this program, begun as the one that started it. */
export function commandLine(command: string, args = '', how = started): string {
  const { isBuilt, file = '', npmCommand } = how
  if (!isBuilt) {
    const script = `npm run ${command === 'check' ? 'contract' : command}`
    return args ? `${script} -- ${args}` : script
  }
  const name = basename(file).replace(/\.[cm]?js$/, '')
  const isLocal = npmCommand === 'exec' || file.includes(`${sep}.bin${sep}`)
  const program = file.endsWith('js') ? `node ${file}` : isLocal ? `npx ${name}` : name
  return [program, command, args].filter(Boolean).join(' ')
}
