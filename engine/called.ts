type Started = { isBuilt: boolean; file?: string; npmCommand?: string }

const started: Started = {
  isBuilt: import.meta.filename.endsWith('.js'),
  file: process.argv[1],
  npmCommand: process.env.npm_command,
}

/** A command line of this program that starts the way the user started it. */
export function commandLine(command: string, args = '', how = started): string {
  const { isBuilt, file = '', npmCommand } = how
  if (!isBuilt) {
    const script = `npm run ${command === 'check' ? 'contract' : command}`
    return args ? `${script} -- ${args}` : script
  }
  const isLocal = npmCommand === 'exec' || /[\\/]\.bin[\\/]/.test(file)
  return [isLocal ? `npx ${nameOf(file)}` : startOf(file), command, args].filter(Boolean).join(' ')
}

const nameOf = (file: string) => file.replace(/^.*[\\/]|\.[cm]?js$/g, '')

/** A global installation is called by its name. On Windows npm starts it by its path. */
function startOf(file: string): string {
  if (!file.endsWith('js')) return nameOf(file)
  return /\s/.test(file) ? `node "${file}"` : `node ${file}`
}
