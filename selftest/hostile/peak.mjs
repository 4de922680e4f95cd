// Loaded into the program that is tried: tells on leaving how much memory it had at most.
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

if (isMainThread)
  process.on('exit', () =>
    writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)),
  )
