import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { wordsOf } from './long.ts'
import { skipWithout } from './worker-folders.ts'

const executablePath = '/usr/bin/chromium'
const args = wordsOf(`
  --headless --no-sandbox --disable-gpu --disable-quic --no-first-run
  --disable-background-networking --disable-component-update --disable-sync
`)

export const hasNoBrowser = skipWithout(existsSync(executablePath), 'pages, for want of chromium')

/** Without faketime, which stops it. */
export const launched = () =>
  chromium.launch({ executablePath, args, env: { ...process.env, LD_PRELOAD: undefined } })
