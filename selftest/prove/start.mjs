// npm run prove -- WHAT …   some over sockets and in real time, everything else in simulated time
import { join } from 'node:path'

const main = join(import.meta.dirname, 'main.ts')
if (process.argv[2] === 'records') {
  const { register } = await import('tsx/esm/api')
  register()
  await import(main)
} else {
  process.argv.splice(2, 0, main)
  await import('../simulated/start.mjs')
}
