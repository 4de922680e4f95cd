import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { request as requestTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { decode } from '../engine/http/decoding.ts'
import { Impossible } from '../engine/impossible.ts'
import { clock } from '../engine/time/timers.ts'
import type { Settings } from '../helpers/settings/table.ts'
import type { Out } from '../reporting/console.ts'
import { untilSignal } from './run/interruption.ts'

type Proxy = { port: number; target: string; settings: Settings; out: Out; signal?: AbortSignal }

/**
 * Passes everything on to a target, unchanged and as it comes, until Ctrl-C, and records it as a HAR that only
 * this user can read. It holds keys: `remove` deletes it.
 */
export async function recordThroughProxy({ port, target, settings, out, signal }: Proxy) {
  const aim = aimAt(target)
  const dir = mkdtempSync(join(tmpdir(), 'contract-recorded-'))
  const file = join(dir, 'recorded.har')
  const handle = openSync(file, 'wx', 0o600)
  writeSync(handle, '{"log":{"version":"1.2","entries":[')
  const entries: Promise<void>[] = []
  let comma = ''
  const record = (entry: Promise<object>) => {
    const written = entry.then((each) => {
      writeSync(handle, `${comma}\n${JSON.stringify(each)}`)
      comma = ','
    })
    entries.push(written)
  }
  const server = createServer(passOn(aim, settings.maxExportMb * 1024 * 1024, record))
  server.on('upgrade', (_, socket) => socket.destroy())
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    rmSync(dir, { recursive: true })
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new Impossible(
      `--proxy ${port} cannot be listened on (${code}); give a port that is free, or 0.`,
    )
  }
  const own = server.address() as { port: number }
  out.write(
    `http://127.0.0.1:${own.port}${aim.pathname === '/' ? '' : aim.pathname} passes everything on to ${aim.origin}; Ctrl-C judges what went through\n`,
  )
  await untilSignal(signal)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await Promise.all(entries)
  writeSync(handle, ']}}\n')
  closeSync(handle)
  return { files: [file], remove: () => rmSync(dir, { recursive: true, force: true }) }
}

function aimAt(target: string): URL {
  const url = URL.canParse(target) ? new URL(target) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new Impossible(
    `--target is '${target}', which is not an http or https address; give the address of the service.`,
  )
}

const ofConnections =
  /^(connection|proxy-connection|keep-alive|transfer-encoding|upgrade|te|trailer)$/i

const pairsIn = (raw: readonly string[]) =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: raw[at + 1] ?? '' }] : []))

const withoutConnection = (raw: readonly string[]) =>
  pairsIn(raw).flatMap(({ name, value }) => (ofConnections.test(name) ? [] : [name, value]))

/** Passes requests on, their bodies and answers as they come, and hands each on as an entry of a HAR. */
function passOn(aim: URL, most: number, record: (entry: Promise<object>) => void) {
  return (asked: IncomingMessage, answer: ServerResponse): void => {
    const [start, began] = [clock.iso(), clock.now()]
    const { method = 'GET', url = '/', rawHeaders } = asked
    const sent = keep(asked, most)
    const entryOf = async (came?: IncomingMessage): Promise<object> => {
      const [asText, bytes] = await Promise.all([sent, came && keep(came, most)])
      const body = bytes && (await decoded(bytes, came?.headers['content-encoding'], most))
      const text = asText?.toString()
      return {
        startedDateTime: start,
        time: clock.now() - began,
        request: {
          method,
          url: `${aim.origin}${url}`,
          headers: pairsIn(rawHeaders),
          ...(text && { postData: { mimeType: asked.headers['content-type'] ?? '', text } }),
        },
        response: {
          status: came?.statusCode ?? 0,
          headers: pairsIn(came?.rawHeaders ?? []),
          content: body
            ? { size: body.length, text: body.toString('base64'), encoding: 'base64' }
            : { size: -1 },
        },
      }
    }
    // The name of the target, for a server of several names goes by it.
    const headers = withoutConnection(rawHeaders).map((each, at, all) =>
      at % 2 === 1 && all[at - 1]?.toLowerCase() === 'host' ? aim.host : each,
    )
    const coding = 'transfer-encoding' in asked.headers ? ['transfer-encoding', 'chunked'] : []
    const options = {
      method,
      path: url,
      headers: [...headers, ...coding],
      host: aim.hostname.replace(/^\[|\]$/g, ''),
      port: aim.port || undefined,
      setHost: false,
    }
    const ask = aim.protocol === 'https:' ? requestTls : request
    const outgoing = ask(options as never, (came: IncomingMessage) => {
      const { statusCode = 502, statusMessage, rawHeaders } = came
      answer.writeHead(statusCode, statusMessage, withoutConnection(rawHeaders) as never)
      record(entryOf(came))
      came.pipe(answer)
      came.on('error', () => answer.destroy())
    })
    outgoing.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (answer.headersSent) return void answer.destroy()
      record(entryOf())
      answer.writeHead(502, { 'content-type': 'text/plain' })
      answer.end(`the proxy got no response from ${aim.origin}: ${code ?? message}\n`)
    })
    answer.on('close', () => answer.writableFinished || outgoing.destroy())
    asked.pipe(outgoing)
  }
}

function keep(stream: IncomingMessage, most: number): Promise<Buffer | undefined> {
  let chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= most) chunks.push(chunk)
    else chunks = []
  })
  return new Promise((resolve) => {
    const end = () => resolve(stream.complete && size <= most ? Buffer.concat(chunks) : undefined)
    for (const event of ['end', 'error', 'close']) stream.once(event, end)
  })
}

async function decoded(bytes: Buffer, coding: string | undefined, most: number) {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of decode(Readable.from([bytes]), coding, most)) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}
