import { on, once } from 'node:events'
import type { Readable } from 'node:stream'
import { isWanted } from '../engine/clause/selection.ts'
import type { Client } from '../engine/http/client.ts'
import { Impossible } from '../engine/impossible.ts'
import { randomFor } from '../engine/random.ts'
import { exitCodeOf } from '../engine/run/exit-code.ts'
import { readEnvironment } from '../engine/settings/environment.ts'
import { pause } from '../engine/time/abort.ts'
import { taskPath } from '../helpers/service/operations.ts'
import { readSettings } from '../helpers/settings/read.ts'
import type { Settings } from '../helpers/settings/table.ts'
import { printable } from '../reporting/parts/texts.ts'
import { type Check, checkOnce } from './check-service.ts'
import type { Given } from './input/commands.ts'
import { selectedBy } from './input/order.ts'
import type { Checked } from './report/finish.ts'
import { withClient } from './run/first-contact.ts'

const everyMs = 2000

/** Runs again, until stopped, whenever the service shows another revision or the user presses Enter. */
export async function watch(call: Check, flags: Given<'check'>): Promise<Checked> {
  const { interruption, cwd, env, input = process.stdin } = call
  const out = call.err ?? call.out
  const say = (text: string) => out.write(`${printable(text)}\n`)
  const settings = readSettings(readEnvironment(cwd, env, flags.envFile), { cwd, flags })
  const isPolled = settings.revisionHeader !== undefined && !settings.embedded
  let next = flags
  let last: Checked = { exitCode: 2 }
  let seen: string | undefined
  while (!interruption.signal.aborted) {
    try {
      last = await checkOnce(call, next)
      seen = last.report?.target.revision ?? seen
      // While something is broken or lost, run that alone; after a repair, run everything.
      const wanted = selectedBy({ ...flags, profile: settings.profile })
      const isBroken = last.report?.clauses.some(
        (each) => ['fail', 'warn', 'inconclusive'].includes(each.verdict) && isWanted(each, wanted),
      )
      next = { ...flags, failed: isBroken ? '' : undefined }
    } catch (error) {
      // During a deployment the service may be down or refuse: keep watching, and repeat this run.
      if (!(error instanceof Impossible) || last.report === undefined) throw error
      say(error.message)
    }
    if (interruption.signal.aborted) break
    say(
      `watching: Enter runs ${next.failed === '' ? 'what is not green' : 'everything'} again${isPolled ? `, and so does another ${settings.revisionHeader} than ${seen ?? 'none'}` : '; REVISION_HEADER would let a deployment do so'}; Ctrl-C ends it`,
    )
    const waiting = new AbortController()
    const stop = AbortSignal.any([interruption.signal, waiting.signal])
    const poll = isPolled ? [changed(settings, seen, stop)] : []
    const why = await Promise.race([pressed(input, stop, !isPolled), ...poll])
    waiting.abort()
    if (why === undefined) break
    say(why)
  }
  input.pause()
  const { by } = interruption
  return by ? { ...last, exitCode: exitCodeOf({ verdict: 'inconclusive', signal: by }) } : last
}

/** undefined: the watch is to stop, or the input has ended and nothing else triggers a run */
async function pressed(input: Readable, stop: AbortSignal, isAlone: boolean) {
  try {
    if (!input.readableEnded)
      for await (const [text] of on(input, 'data', { signal: stop, close: ['end'] }))
        if (String(text).includes('\n')) return 'Enter'
    if (!isAlone) await once(stop, 'abort')
  } catch (error) {
    if (!stop.aborted) throw error
  }
  return undefined
}

async function changed(settings: Settings, seen: string | undefined, stop: AbortSignal) {
  const { taskIds, readTaskIds, revisionHeader = '' } = settings
  const id = [...taskIds, ...readTaskIds][0] ?? randomFor(0, 'watch').string.uuid()
  const poll = async (client: Client) => {
    while (!stop.aborted) {
      await pause(everyMs, stop)
      const answer = await client
        .ask({ method: 'GET', path: taskPath(id), retries: false })
        .catch(() => undefined)
      const revision = answer && answer.status < 500 ? answer.headers[revisionHeader] : undefined
      if (revision !== undefined && revision !== seen)
        return `${revisionHeader} is ${revision.slice(0, 200)} now`
    }
    return undefined
  }
  return withClient(settings, { stop }, poll).catch((error) => {
    if (!stop.aborted) throw error
    return undefined
  })
}
