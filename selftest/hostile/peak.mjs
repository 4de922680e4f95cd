// Loaded into the program under test: prints its peak memory on exit.
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

if (isMainThread)
  process.on('exit', () =>
    writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)),
  )
