import { isUtf8 } from 'node:buffer'
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject, type JsonObject } from '../../engine/http/answers.ts'
import { Impossible } from '../../engine/impossible.ts'
import { baseEndIn, type Recorded } from '../../helpers/service/seen.ts'
import { present } from '../../reporting/parts/texts.ts'
import { mistakeIn, orImpossible } from './read-json.ts'

type Har = { file: string; recorder: number; handle: number; keepsKeys: boolean }

/** The place of an entry for one of the four operations; it is read again when judged. */
type Place = { har: Har; from: number; to: number; start: number }

export type Recording = ReturnType<typeof openRecording>

const pieceBytes = 1 << 22

/** What reads a file, or the sentence that it cannot be read. */
const orUnread = <T>(file: string, read: () => T): T =>
  orImpossible(read, (reason) => `${file} cannot be read: ${reason}; ${give}`)
const give = 'give a HAR file (HTTP Archive 1.2).'

function eachEntry({ file, handle }: Har, hear: (from: number, to: number) => void): void {
  const mistake = mistakeIn(file)
  const piece = Buffer.alloc(pieceBytes)
  const readAt = (offset: number) =>
    orUnread(file, () => readSync(handle, piece, 0, pieceBytes, offset))
  let [depth, from, word, isText, isEscaped] = [0, -1, '', false, false]
  let [isInside, isFound] = [false, false]
  for (let offset = 0, read = readAt(0); read > 0; offset += read, read = readAt(offset))
    for (let at = 0; at < read; at += 1) {
      const byte = piece[at] as number
      if (isText) {
        if (isEscaped || byte === 0x5c) isEscaped = !isEscaped
        else if (byte === 0x22) isText = false
        else if (from < 0 && word.length < 12) word += String.fromCharCode(byte)
      } else if (byte === 0x22) {
        isText = true
        if (from < 0) word = ''
      } else if (byte === 0x7b || byte === 0x5b) {
        depth += 1
        if (depth === 3) isInside = byte === 0x5b && word === 'entries'
        isFound ||= isInside
        if (depth === 4 && isInside && byte === 0x7b) from = offset + at
      } else if (byte === 0x7d || byte === 0x5d) {
        depth -= 1
        if (from >= 0 && depth === 3) {
          hear(from, offset + at + 1)
          from = -1
        }
        if (depth < 0) mistake(` is not JSON; ${give}`)
      }
    }
  if (!isFound) mistake(` has no log.entries; ${give}`)
  if (depth !== 0) mistake(` is cut short; ${give}`)
}

const secretName =
  /^(apikey|.*(authorization|cookie|token|secret|passw|credential|session|signature|api[-_]?key).*|.*[-_]key|key|sig|code|auth)$/i
/** What recorders and this suite write instead of a secret. */
const placeholder = /^[([<*]|^$/

/** Finds the entries of the four operations, their base address, and their secrets; reads them until `close`. */
export function openRecording(
  files: readonly string[],
  given: string | undefined,
  maxMb: number,
  name = files.join(', '),
) {
  const bases = new Map<string, { places: Place[]; isKeyed: boolean }>()
  const secrets = new Set<string>()
  const hars = files.map((file, recorder): Har => {
    return { file, recorder, handle: orUnread(file, () => openSync(file, 'r')), keepsKeys: false }
  })
  let [large, unread, bytes] = [0, 0, Buffer.alloc(0)]
  const textAt = ({ har, from, to }: Pick<Place, 'har' | 'from' | 'to'>): string => {
    if (bytes.length < to - from) bytes = Buffer.alloc(to - from)
    return bytes.toString('utf8', 0, readSync(har.handle, bytes, 0, to - from, from))
  }
  for (const har of hars)
    eachEntry(har, (from, to) => {
      const isLarge = to - from > maxMb * 1024 * 1024
      const entry = isLarge ? undefined : entryIn(textAt({ har, from, to }))
      if (isLarge) large += 1
      else if (!entry) unread += 1
      if (!entry) return
      for (const secret of secretsIn(entry)) secrets.add(secret)
      const { url, start, method } = entry
      const end = baseEndIn(method, url.pathname)
      const base = given ?? `${url.origin}${url.pathname.slice(0, end)}`
      if (end === undefined || !url.href.startsWith(`${base}/`)) return
      const known = bases.get(base) ?? { places: [], isKeyed: false }
      bases.set(base, known)
      har.keepsKeys ||= 'apikey' in entry.requestHeaders
      known.isKeyed ||= 'apikey' in entry.requestHeaders
      known.places.push({ har, from, to, start })
    })
  const base = baseAmong(name, bases, given)
  const places = bases.get(base)?.places ?? []
  places.sort((a, b) => a.start - b.start)
  const [first] = hars
  // A run of this suite writes its seed into the comment in front of its traffic.
  const head = first ? textAt({ har: first, from: 0, to: 1024 }) : ''
  const seed = /"comment": "[^"]*; seed (\d+);/.exec(head)?.[1]
  return {
    base,
    /** when each entry was sent, in order */
    starts: places.map(({ start }) => start),
    secrets: [...secrets],
    notices: present([
      large > 0 &&
        `${large} entries are longer than MAX_EXPORT_MB=${maxMb} allows and were passed over`,
      unread > 0 && `${unread} entries are not as HAR 1.2 has them and were passed over`,
    ]),
    seed: seed === undefined ? undefined : Number(seed),
    /** the entry with this number; undefined: it is not there, came from a cache or has no answer */
    read(number: number): Recorded | undefined {
      const place = places[number - 1]
      return place && exchangeIn(textAt(place), place.har, number, base)
    },
    close() {
      for (const { handle } of hars) closeSync(handle)
    },
  }
}

/** The best base: one with a key, then one with the contract's version in its path. */
function baseAmong(name: string, bases: Map<string, { isKeyed: boolean }>, given?: string) {
  const all = [...bases]
  const keyed = all.filter(([, { isKeyed }]) => isKeyed)
  const some = (keyed.length > 0 ? keyed : all).map(([base]) => base)
  const versioned = some.filter((base) => base.endsWith('/v5'))
  const [base, other] = versioned.length > 0 ? versioned : some
  if (base === undefined)
    throw new Impossible(
      `${name} ${name.includes(', ') ? 'contain' : 'contains'} no exchange with one of the four operations${given ? ` below ${given}` : ''}; record some, or name their base with --base.`,
    )
  if (other !== undefined)
    throw new Impossible(
      `the recording contains two bases, ${base} and ${other}; name one with --base.`,
    )
  return base
}

type Entry = NonNullable<ReturnType<typeof entryIn>>

function entryIn(text: string) {
  try {
    const entry: unknown = JSON.parse(text)
    if (!isObject(entry) || !isObject(entry.request)) return undefined
    const { url, method, headers } = entry.request
    const start = Date.parse(String(entry.startedDateTime))
    if (Number.isNaN(start)) return undefined
    return {
      url: new URL(String(url)),
      method: String(method).toUpperCase(),
      start,
      requestHeaders: headersIn(headers),
      entry,
    }
  } catch {
    return undefined
  }
}

/** several values of one name are joined */
function headersIn(list: unknown): Record<string, string> {
  const found: Record<string, string> = {}
  for (const each of Array.isArray(list) ? list : []) {
    if (!isObject(each)) continue
    const name = String(each.name).toLowerCase()
    const value = String(each.value)
    found[name] = name in found ? `${found[name]}, ${value}` : value
  }
  return found
}

function secretsIn({ url, requestHeaders, entry }: Entry): string[] {
  const { response } = entry
  const answered = isObject(response) ? headersIn(response.headers) : {}
  const headers = [requestHeaders, answered].flatMap((each) => Object.entries(each))
  const named = [...headers, ...url.searchParams]
  const values = named.flatMap(([name, value]) => {
    if (!secretName.test(name)) return []
    if (!/^(set-)?cookie$/.test(name)) return [value, value.replace(/^\w+\s+/, '')]
    const pairs = value.split(name === 'cookie' ? /;\s*/ : /[,\n]\s*(?=[^;,=\s]+=)/)
    return pairs.map((pair) => pair.replace(/;.*/s, '').replace(/^[^=]*=/, ''))
  })
  return values.filter((value) => value.length >= 4 && !placeholder.test(value))
}

function exchangeIn(text: string, har: Har, number: number, base: string): Recorded | undefined {
  const { recorder, file, keepsKeys } = har
  const found = entryIn(text)
  const { response, request, time, _fromCache, fromCache } = found?.entry ?? {}
  if (!found || !isObject(response) || !isObject(request) || _fromCache || fromCache)
    return undefined
  const { url, start, method, requestHeaders } = found
  const { postData, bodySize } = request
  const sent = isObject(postData) && typeof postData.text === 'string' ? postData.text : undefined
  const isCut =
    typeof bodySize === 'number' && sent !== undefined && bodySize > Buffer.byteLength(sent)
  return {
    number,
    ...{ recorder, leavesKeysOut: !keepsKeys },
    start,
    end: start + (Number(time) > 0 ? Number(time) : 0),
    method,
    path: url.href.slice(base.length).replace(/#.*/, ''),
    requestHeaders,
    requestBody: isCut ? undefined : sent,
    status: Number(response.status) || 0,
    headers: headersIn(response.headers),
    ...bodyIn(response, file),
  }
}

/** The body of an answer, if the recording holds all of it, or a run kept it as a file beside it. */
function bodyIn({ content, status, headers }: JsonObject, file: string): { body?: Buffer } {
  if (!isObject(content)) return {}
  const { text, encoding, size, comment } = content
  const [, digest] = /^SHA-256 ([\da-f]{64})$/.exec(String(comment)) ?? []
  const kept = digest && join(dirname(file), 'files', digest)
  if (kept && existsSync(kept)) return { body: readFileSync(kept) }
  const length = headersIn(headers)['content-length']
  const isEmpty = length === '0' || (size === 0 && Number(status) === 204)
  if (typeof text !== 'string') return isEmpty ? { body: Buffer.alloc(0) } : {}
  const body = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8')
  // Browsers record the decoded size. Recoded text may be longer, but not shorter.
  const isCut = typeof size === 'number' && size > body.length
  // Some recorders keep a body as it was on the wire.
  const { 'content-encoding': coding } = headersIn(headers)
  const isCoded =
    coding !== undefined && !isUtf8(body) && !body.subarray(0, 4).equals(Buffer.from('%PDF'))
  return isCut || isCoded || (body.length === 0 && !isEmpty) ? {} : { body }
}
