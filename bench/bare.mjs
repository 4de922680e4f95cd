// What a recorded run asked, by undici alone: bare.mjs ORIGIN HAR
// A request that was sent after an answer waits for it. The loader that the suite's TypeScript needs is left out.
import { readFileSync } from 'node:fs'
import { request } from 'undici'

/** The environment has the key, as a report does not keep it. */
async function replay(origin, har) {
  const { entries } = JSON.parse(readFileSync(har, 'utf8')).log
  const steps = entries
    .filter(({ request: { url }, response }) => url.includes('/v5/') && response.status > 0)
    .flatMap((entry) => {
      const start = Date.parse(entry.startedDateTime)
      return [
        { at: start, entry },
        { at: start + entry.time, entry, isAnswer: true },
      ]
    })
    .sort((one, other) => one.at - other.at)
  const versionIn = (text = '') => /"updated_at":"([^"]+)"/.exec(text)?.[1]
  const versions = new Map()
  const underWay = new Map()
  let asIs = 0
  async function ask({ request: asked, response }) {
    const { pathname, search } = new URL(asked.url)
    const headers = {}
    for (const { name, value } of asked.headers) {
      const key = name.toLowerCase()
      if (key === 'apikey') headers[key] = process.env.API_KEY
      if (key === 'if-match') headers[key] = versions.get(value) ?? value
      if (key === 'content-type' || key === 'accept') headers[key] = value
    }
    const sent = { method: asked.method, headers, body: asked.postData?.text }
    const answer = await request(`${origin}${pathname}${search}`, sent)
    const now = versionIn(Buffer.from(await answer.body.arrayBuffer()).toString())
    const then = versionIn(response.content.text)
    if (answer.statusCode === response.status) asIs += 1
    if (now && then) versions.set(then, now)
  }
  for (const { entry, isAnswer } of steps)
    if (isAnswer) await underWay.get(entry)
    else underWay.set(entry, ask(entry))
  return { requests: underWay.size, asIs }
}

const [origin, har] = process.argv.slice(2)
console.log(JSON.stringify(await replay(origin, har)))
process.exit(0)
