import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Impossible } from '../../../engine/impossible.ts'
import type { Environment } from '../../../engine/settings/table.ts'
import { type Overrides, readSettings } from '../../../helpers/settings/read.ts'
import { openWorkerFolder } from '../../test-end.ts'

const place = openWorkerFolder()

export function folderWith(files: Record<string, string | Buffer> = {}) {
  const folder = mkdtempSync(join(place, 'settings-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

export const cwd = folderWith({
  'ca.pem': '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
  'key.pem': '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n',
  'locked.pem': '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n',
  'note.txt': 'no certificate',
})
export const a = '123e4567-e89b-12d3-a456-42661417400a'
export const b = '123e4567-e89b-12d3-a456-42661417400b'
export const base = { BASE_URL: 'https://api.example.com/v5', API_KEY: 'key-123' }

export const read = (env: Environment, flags?: Overrides) => readSettings(env, { cwd, flags })
export const mistakesOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    if (error instanceof Impossible) return error.message.split('\n')
    throw error
  }
  return []
}
