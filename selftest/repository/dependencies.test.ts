import { isBuiltin } from 'node:module'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { read, tree } from './tree.ts'

const { name: own, scripts, dependencies, devDependencies } = JSON.parse(read('package.json'))
const listed = Object.keys({ ...dependencies, ...devDependencies })

const sources = new Map(
  tree.filter((file) => /\.[cm]?[jt]s$/.test(file)).map((file) => [file, read(file)]),
)

const imports =
  /^(?:import|(?:import|export|\}).* from) '([^'.][^']*)'|\b(?:import|require)\('([^'.][^']*)'/gm

/** The packages that a source imports. */
const importsIn = (source: string): string[] =>
  [...source.matchAll(imports)]
    .map(([, path, loaded = '']) => path ?? loaded)
    .filter((path) => !isBuiltin(path))
    .map((path) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? '')

/** Whether a source imports, resolves or reads from a package, or a script runs its command. */
function isUsed(name: string): boolean {
  const [, typed] = /^@types\/(.*)/.exec(name) ?? []
  if (typed) return typed === 'node' || listed.includes(typed)
  const { bin = {} } = JSON.parse(read(`node_modules/${name}/package.json`))
  const words = Object.values<string>(scripts).join(' ').split(/[ /]/)
  const named = [`'${name}'`, `'${name}/`, `node_modules/${name}/`]
  return (
    Object.keys(bin).some((command) => words.includes(command)) ||
    [...sources.values()].some((source) => named.some((each) => source.includes(each)))
  )
}

test('every package that is listed is imported, or a script starts it', () => {
  expect(listed.filter((name) => !isUsed(name))).toEqual([])
})

test('every import is a listed package, and the program imports only dependencies', () => {
  const isTool = (file: string) => /^(bench|packaging|selftest)\/|^vitest\.config/.test(file)
  const astray = [...sources].flatMap(([file, source]) => {
    const allowed = isTool(file) ? [...listed, own] : Object.keys(dependencies)
    const names = importsIn(source).filter((name) => !allowed.includes(name))
    return names.map((name) => `${file}: ${name}`)
  })
  expect(astray).toEqual([])
})

test.each(Object.entries<string>(scripts))('npm run %s works in every shell', (_, script) => {
  // `exec` passes signals on in a POSIX shell; on Windows npm finds exec.cmd.
  for (const part of script.split(' && ')) {
    expect(part).toMatch(/^(exec )?(node|vitest|tsc|biome) /)
    expect(part).not.toMatch(/[;|<>$`'"*~\\&]|^\w+=/)
  }
})

test('exec.cmd runs what follows it', () => {
  expect(read('exec.cmd').split('\r\n')).toContain('@%*')
})

const { on, permissions, jobs } = parse(read('.github/workflows/publish.yml'))
const commands = jobs.package.steps.flatMap(({ run }: { run?: string }) => run ?? [])

test('a release publishes by trusted publishing, after the tests, and with provenance', () => {
  expect(on).toEqual({ release: { types: ['published'] } })
  expect(permissions).toEqual({ contents: 'read' })
  expect(jobs.package.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  expect(commands.at(-1)).toBe('npm publish --provenance --access public')
  expect(commands.indexOf('npm test')).toBe(commands.length - 2)
  expect(JSON.stringify(jobs)).not.toContain('NPM_TOKEN')
})

test('a tag that is not the version publishes nothing', () => {
  expect(commands[0]).toContain(`"$GITHUB_REF_NAME" = "v$(node -p`)
})
