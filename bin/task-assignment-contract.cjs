#!/usr/bin/env node
// Written in old JavaScript on purpose: an old Node has to be able to read this, and to say that it is old.
'use strict'

var found = process.versions.node.split('.').map(Number)
if (found[0] < 20 || (found[0] === 20 && found[1] < 19)) {
  process.stderr.write(
    // biome-ignore lint/style/useTemplate: an old Node cannot read one
    'Node ' + process.versions.node + ' is too old for this program; use Node 20.19 or newer.\n',
  )
  process.exitCode = 2
} else {
  require('./start.cjs')
}
