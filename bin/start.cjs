// What an old Node cannot read: only task-assignment-contract.cjs loads this, after it has looked.
const end = (exitCode, said) => {
  process.stderr.write(`${said}\n`)
  process.exitCode = exitCode
}

// The runner reads paths as addresses.
const [awkward] = /[#?%]/.exec(__dirname) ?? []
if (awkward)
  end(2, `The path '${__dirname}' holds a '${awkward}'; install this program in a folder without.`)
else
  import('../dist/contract.js').catch((error) => {
    const missing = /Cannot find (?:package|module) '([^']+)'/.exec(error?.message ?? '')?.[1]
    if (missing) end(2, `'${missing}' is missing: the installation is not complete; install again.`)
    else end(3, error?.stack ?? error)
  })
