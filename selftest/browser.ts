import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { wordsOf } from './long.ts'
import { skipWithout } from './worker-folders.ts'

const executablePath = '/usr/bin/chromium'
const args = wordsOf(`
  --headless --no-sandbox --disable-gpu --disable-quic --no-first-run
  --disable-background-networking --disable-component-update --disable-sync
`)

export const hasNoBrowser = skipWithout(
  existsSync(executablePath),
  'pages in a browser, for want of /usr/bin/chromium (apt-get install chromium)',
)

export const launched = () => chromium.launch({ executablePath, args })
