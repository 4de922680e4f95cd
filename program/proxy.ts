import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { request as requestTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Impossible } from '../engine/impossible.ts'
import type { Settings } from '../helpers/settings/table.ts'
import type { Out } from '../reporting/console.ts'

type Proxy = { port: number; target: string; settings: Settings; out: Out; signal?: AbortSignal }

/**
 * Passes everything on to a target, unchanged and as it comes, until Ctrl-C, and records it as a HAR that only
 * this user can read. It holds keys: `remove` deletes it.
 */
export async function recordThroughProxy({
  port,
  target,
  settings,
  out,
  signal,
}: Proxy): Promise<{ files: string[]; remove(): void }> {
  const aim = aimAt(target)
  const dir = mkdtempSync(join(tmpdir(), 'contract-recorded-'))
  const file = join(dir, 'recorded.har')
  const handle = openSync(file, 'wx', 0o600)
  writeSync(
    handle,
    '{"log":{"version":"1.2","creator":{"name":"task-assignment-contract","version":"1"},"entries":[',
  )
  let count = 0
  const record = (entry: object) => {
    writeSync(handle, `${count === 0 ? '' : ','}\n${JSON.stringify(entry)}`)
    count += 1
  }
  const most = settings.maxExportMb * 1024 * 1024
  const server = createServer((asked, answer) => passOn(aim, asked, answer, most, record))
  server.on('upgrade', (_, socket) => socket.destroy())
  try {
    const { promise, resolve, reject } = withResolvers<void>()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
    await promise
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
  await ended(signal)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  writeSync(handle, ']}}\n')
  closeSync(handle)
  return { files: [file], remove: () => rmSync(dir, { recursive: true, force: true }) }
}

function aimAt(target: string): URL {
  try {
    const url = new URL(target)
    if (/^https?:$/.test(url.protocol)) return url
  } catch {}
  throw new Impossible(
    `--target holds '${target}', which is not an http or https address; give the address of the service.`,
  )
}

/** Until Ctrl-C, the end of the process that started it, or the signal. */
function ended(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve()
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, end)
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted) end()
  })
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/** What is between one connection and the next, and of no end to the other. */
const ofConnections = [
  'connection',
  'proxy-connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
]

const pairsIn = (raw: readonly string[]) =>
  Array.from({ length: raw.length / 2 }, (_, at) => ({
    name: raw[2 * at] ?? '',
    value: raw[2 * at + 1] ?? '',
  }))

const withoutConnection = (raw: readonly string[]) =>
  pairsIn(raw).flatMap(({ name, value }) =>
    ofConnections.includes(name.toLowerCase()) ? [] : [name, value],
  )

/** Passes one request on, its body and its answer as they come, and records both. */
function passOn(
  aim: URL,
  asked: IncomingMessage,
  answer: ServerResponse,
  most: number,
  record: (entry: object) => void,
): void {
  const start = Date.now()
  const began = performance.now()
  const { method = 'GET', url = '/', rawHeaders } = asked
  const sent = keep(asked, most)
  // The name of the target, for a server of several names goes by it.
  const headers = withoutConnection(rawHeaders).map((each, at, all) =>
    all[at - 1]?.toLowerCase() === 'host' && at % 2 === 1 ? aim.host : each,
  )
  const isChunked = 'transfer-encoding' in asked.headers
  const note = (came?: IncomingMessage, body?: Kept) =>
    record({
      startedDateTime: new Date(start).toISOString(),
      time: performance.now() - began,
      request: {
        method,
        url: `${aim.origin}${url}`,
        httpVersion: 'HTTP/1.1',
        headers: pairsIn(rawHeaders),
        cookies: [],
        queryString: [],
        headersSize: -1,
        bodySize: sent.size,
        ...(sent.size > 0 && {
          postData: {
            mimeType: asked.headers['content-type'] ?? '',
            text: sent.whole()?.toString(),
          },
        }),
      },
      response: {
        status: came?.statusCode ?? 0,
        statusText: came?.statusMessage ?? '',
        httpVersion: 'HTTP/1.1',
        headers: pairsIn(came?.rawHeaders ?? []),
        cookies: [],
        redirectURL: '',
        headersSize: -1,
        bodySize: -1,
        content: contentOf(came, body),
      },
      cache: {},
      timings: { send: 0, wait: performance.now() - began, receive: 0 },
    })
  const options = {
    method,
    path: url,
    headers: isChunked ? [...headers, 'transfer-encoding', 'chunked'] : headers,
    host: aim.hostname.replace(/^\[|\]$/g, ''),
    port: aim.port || undefined,
    setHost: false,
  }
  const outgoing = (aim.protocol === 'https:' ? requestTls : request)(
    options as never,
    (came: IncomingMessage) => {
      answer.writeHead(
        came.statusCode ?? 502,
        came.statusMessage,
        withoutConnection(came.rawHeaders) as never,
      )
      const decoded = came.pipe(new PassThrough())
      const body = keep(decodedBy(came.headers['content-encoding'], decoded), most)
      came.pipe(answer)
      came.on('error', () => answer.destroy())
      body.ended.then(() => note(came, came.complete ? body : undefined))
    },
  )
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    if (answer.headersSent) return void answer.destroy()
    note()
    answer.writeHead(502, { 'content-type': 'text/plain' })
    answer.end(`the proxy got no answer from ${aim.origin}: ${error.code ?? error.message}\n`)
  })
  answer.on('close', () => {
    if (!answer.writableFinished) outgoing.destroy()
  })
  asked.pipe(outgoing)
}

type Kept = { size: number; whole(): Buffer | undefined; ended: Promise<void> }

/** Keeps what goes by, as long as it is not too long. */
function keep(stream: Readable, most: number): Kept {
  let chunks: Buffer[] = []
  const kept: Kept = {
    size: 0,
    whole: () => (kept.size <= most ? Buffer.concat(chunks) : undefined),
    ended: new Promise((resolve) => {
      for (const event of ['end', 'error', 'close']) stream.on(event, () => resolve())
    }),
  }
  stream.on('data', (chunk: Buffer) => {
    kept.size += chunk.length
    if (kept.size <= most) chunks.push(chunk)
    else chunks = []
  })
  return kept
}

function decodedBy(encoding: string | undefined, stream: Readable): Readable {
  const make = { gzip: createGunzip, br: createBrotliDecompress, deflate: createInflate }[
    encoding ?? ''
  ]
  return make ? stream.pipe(make()) : stream
}

/** The content as HAR has it: text, or base64 where it is none. */
function contentOf(came: IncomingMessage | undefined, body: Kept | undefined) {
  const mimeType = came?.headers['content-type'] ?? ''
  const bytes = body?.whole()
  if (!bytes) return { size: body?.size ?? -1, mimeType }
  const text = bytes.toString()
  const isText = Buffer.from(text).equals(bytes)
  return {
    size: bytes.length,
    mimeType,
    ...(isText ? { text } : { text: bytes.toString('base64'), encoding: 'base64' }),
  }
}
