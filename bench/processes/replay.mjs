// Asks a service again what a recorded run asked, with bare undici and the same overlap: a request
// that was asked after an answer waits for that answer. Arguments: the service's origin, a recording.
import { readFileSync } from 'node:fs'
import { request } from 'undici'

const [origin, file] = process.argv.slice(2)
const steps = JSON.parse(readFileSync(file, 'utf8'))
const ends = new Map(steps.filter((step) => 'status' in step).map((step) => [step.n, step]))
/** versions of the recorded run, and their current replacements */
const versions = new Map()
const underWay = new Map()
let asIs = 0

async function ask({ n, method, path, headers, body }) {
  const end = ends.get(n)
  const ifMatch = headers['if-match']
  const sent = ifMatch ? { ...headers, 'if-match': versions.get(ifMatch) ?? ifMatch } : headers
  const answer = await request(origin + path, { method, headers: sent, body })
  if (answer.statusCode === end?.status) asIs += 1
  if (end?.cut) {
    let bytes = 0
    for await (const piece of answer.body) {
      bytes += piece.length
      if (bytes >= end.bytes) break
    }
    return
  }
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  const version = end?.version && /"updated_at":"([^"]+)"/.exec(bytes.toString())?.[1]
  if (version) versions.set(end.version, version)
}

for (const step of steps)
  if ('method' in step) underWay.set(step.n, ask(step))
  else await underWay.get(step.n)
await Promise.all(underWay.values())
console.log(JSON.stringify({ requests: underWay.size, asIs }))
process.exit(0)
