// What an old Node cannot read: only task-assignment-contract.cjs loads this, after it has looked.
const end = (exitCode, said) => {
  process.stderr.write(`${said}\n`)
  process.exitCode = exitCode
}

import('../dist/contract.js').catch((error) => {
  const missing = /Cannot find (?:package|module) '([^']+)'/.exec(error?.message ?? '')?.[1]
  if (missing) end(2, `'${missing}' is missing: the installation is not complete; install again.`)
  else end(3, error?.stack ?? error)
})
