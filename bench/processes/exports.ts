// Writes the reference service's PDF and CSV of the same events. Arguments: the folder, how many.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'

const [folder = '', events = '5000'] = process.argv.slice(2)
const world = makeWorld(1, { events: Number(events) })
const service = createService({ world })
for (const form of ['pdf', 'csv']) {
  const path = `http://reference/v5/audit-sentinel/events/export?file_type=${form}`
  const answer = await service.fetch(new Request(path, { headers: { apikey: world.apiKey } }))
  writeFileSync(join(folder, `events.${form}`), Buffer.from(await answer.arrayBuffer()))
}
