// What an old Node cannot read: only task-assignment-contract.cjs loads this, after it has looked.
const { existsSync } = require('node:fs')
const { join } = require('node:path')

const end = (exitCode, said) => {
  process.stderr.write(`${said}\n`)
  process.exitCode = exitCode
}

/** The package holds what was built; a checkout may hold the sources alone. */
async function start() {
  if (existsSync(join(__dirname, '../dist')) || !existsSync(join(__dirname, '../contract.ts')))
    return import('../dist/contract.js')
  // A checkout has it, the package does not need it.
  require(require.resolve('tsx/esm/api')).register()
  return import('../contract.ts')
}

start().catch((error) => {
  const missing = /Cannot find (?:package|module) '([^']+)'/.exec(error?.message ?? '')?.[1]
  if (missing) end(2, `'${missing}' is missing: the installation is not complete; install again.`)
  else end(3, error?.stack ?? error)
})
