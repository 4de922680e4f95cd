// Makes docs/messages.md from the code: npm run messages.
import { writeFileSync } from 'node:fs'
import { messagesIn } from './messages.ts'
import { pageOf } from './page.ts'
import { Names, readSources } from './sources.ts'

const sources = readSources()
const messages = messagesIn(sources, new Names(sources))
writeFileSync(new URL('../../docs/messages.md', import.meta.url), pageOf(messages))
process.stdout.write(`docs/messages.md: ${messages.length} messages\n`)
