import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts

test.each(Object.entries(scripts))('npm run %s works in every shell', (_, script) => {
  // `exec` passes signals on in a POSIX shell; on Windows npm finds exec.cmd.
  for (const part of script.split(' && ')) {
    expect(part).toMatch(/^(exec )?(node|vitest|tsc|biome) /)
    expect(part).not.toMatch(/[;|<>$`'"*~\\&]|^\w+=/)
  }
})

test('exec.cmd runs what follows it', () => {
  expect(read('exec.cmd').split('\r\n')).toContain('@%*')
})
