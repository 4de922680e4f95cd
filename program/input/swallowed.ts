type Env = Record<string, string | undefined>
type Kept = { name: string; argument?: string; values: string[]; missing: number }

/**
 * Tells the flags that npm kept because no `--` stood before them, with the command that was
 * meant. As npm 11.19 was seen to do it: a flag becomes `npm_config_…`; of `--seed 5` only
 * `true` is kept there and the 5 is handed on; values of a repeated flag are joined by a blank line.
 */
export function describeSwallowed(
  env: Env,
  flags: Record<string, { argument?: string }>,
  given: ReadonlyMap<string, string[]>,
  loose: string[],
  start: string,
) {
  const kept = Object.entries(flags)
    .filter(([name]) => !given.has(name))
    .flatMap(([name, { argument }]) => readKept(env, name, argument))
  if (kept.length === 0) return undefined
  const wanting = kept.filter(({ missing }) => missing > 0)
  // With two of them it cannot be told whose value is whose.
  const found = wanting.length === 1 && wanting[0]?.missing === loose.length ? loose : undefined
  const meant = ({ argument, values, missing }: Kept) => {
    if (!argument || missing === 0) return values
    return [...values, ...(found ?? (argument.startsWith('[') ? [] : [argument]))]
  }
  const command = [
    ...[...given].flatMap(([name, values]) => written(name, values)),
    ...kept.flatMap((flag) => written(flag.name, meant(flag))),
  ].join(' ')
  const list = kept.map(({ name }) => `--${name}`).join(' and ')
  return `npm kept ${list} for itself; write: ${start} ${command}`
}

function readKept(env: Env, name: string, argument?: string): Kept[] {
  const value = npmValue(env, name)
  if (!argument)
    return ['', 'false', undefined].includes(value) ? [] : [{ name, values: [], missing: 0 }]
  if (value === undefined) return []
  const parts = value.split('\n\n')
  const values = parts.filter((part) => part !== '' && part !== 'true')
  return [{ name, argument, values, missing: parts.length - values.length }]
}

function npmValue(env: Env, name: string) {
  // npm reads --plan as its own short options -p -l -a -n.
  const plan = ['parseable', 'long', 'all'].every((word) => env[`npm_config_${word}`] === 'true')
  if (name === 'plan' && plan) return 'true'
  return env[`npm_config_${name.replaceAll('-', '_')}`]
}

const written = (name: string, values: string[]) =>
  values.length ? values.map((value) => `--${name} ${quoted(value)}`) : [`--${name}`]

const quoted = (value: string) =>
  /^[\w.,/:=@%+-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
