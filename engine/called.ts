type Started = { isBuilt: boolean; file?: string; npmCommand?: string; by?: string }

const packageName = 'task-assignment-contract'

const started: Started = {
  isBuilt: import.meta.filename.endsWith('.js'),
  file: process.argv[1],
  npmCommand: process.env.npm_command,
  by: process.env.CONTRACT_STARTED_BY ?? (process.env.CONTRACT_BIN && 'action'),
}

export const isOfVitest = started.by === 'vitest'

/** A command line of this program that starts the way the user started it. */
export function commandLine(command: string, args = '', how = started): string {
  const { isBuilt, file = '', npmCommand, by } = how
  if (by === 'vitest' && command === 'check') {
    const [, id] = /--clauses ([^\s,]+)/.exec(args) ?? []
    return `npx vitest run${id ? ` -t ${id}` : ''}`
  }
  if (!isBuilt) {
    const script = `npm run ${command === 'check' ? 'contract' : command}`
    return args ? `${script} -- ${args}` : script
  }
  const isLocal = by !== undefined || npmCommand === 'exec' || /[\\/]\.bin[\\/]/.test(file)
  return [isLocal ? `npx ${packageName}` : startOf(file), command, args].filter(Boolean).join(' ')
}

const nameOf = (file: string) => file.replace(/^.*[\\/]|\.[cm]?js$/g, '')

/** A global installation is called by its name. On Windows npm starts it by its path. */
function startOf(file: string): string {
  if (!file.endsWith('js')) return nameOf(file)
  return /\s/.test(file) ? `node "${file}"` : `node ${file}`
}
