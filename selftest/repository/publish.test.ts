import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../kept.ts'

const { on, permissions, jobs } = parse(
  readFileSync(join(root, '.github/workflows/publish.yml'), 'utf8'),
)
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
