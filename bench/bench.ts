// Speed and scale, measured side by side: npm run bench [-- PART… --rounds N --small]
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { missingIn, type Part, scratch, tableOf } from './figures.ts'
import { csv, memory, pdf, run, start } from './parts.ts'

const parts: Record<string, Part> = {
  run,
  memory,
  start,
  csv,
  pdf,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    small: { type: 'boolean', default: false },
  },
})
const strange = positionals.filter((name) => !parts[name])
if (strange.length > 0) {
  console.error(`${strange.join(', ')} is not a part: ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}

mkdirSync(scratch, { recursive: true })
const size = { rounds: values.small ? 1 : Math.max(1, Number(values.rounds)), small: values.small }
for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
  const part = parts[name] as Part
  console.log(`\n${name}: ${part.title}`)
  const found = await part
    .measure(size)
    .catch((error: Error) => ({ rows: [], notes: [`not measured: ${error.message}`] }))
  const { rows, notes = [] } = found
  const text = [...(rows.length > 0 ? [tableOf(rows)] : []), ...missingIn(rows), ...notes].join(
    '\n\n',
  )
  console.log(`\n${text}`)
}
