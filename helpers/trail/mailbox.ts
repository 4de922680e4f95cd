import type { Pool } from 'undici'
import { isObject, type JsonObject, jsonIn } from '../../engine/http/answers.ts'
import { Failure, failureOf, span } from '../../engine/http/failure.ts'
import { decide } from '../../engine/http/retry.ts'
import { Trouble } from '../../engine/outcome.ts'
import { pause } from '../../engine/time/abort.ts'
import { wholeUndici } from '../../engine/undici.ts'
import type { Settings } from '../settings/table.ts'

/** A mail as far as clauses go by it. */
export type Mail = {
  id: string
  /** when it arrived by the mailbox's clock, in milliseconds; NaN where it does not tell */
  created: number
  /** addresses of everybody it went to, in lower case */
  to: string[]
  /** subject and text in lower case, with single spaces; what was marked up, without the markup */
  words: string
}

/** A state of the mailbox: what is not in it has come since. */
export type Mark = { ids: Set<string>; newest: number }

/** Mails that the service sent, as they arrive. */
export type Mailbox = {
  url: string
  mark(): Promise<Mark>
  /** what has come since */
  since(mark: Mark): Promise<Mail[]>
  close(): Promise<void>
}

const pageSize = 100
const mostPages = 10
const mostBytes = 4 * 1024 * 1024
const connections = 4

/**
 * Opens a mailbox by Mailpit's HTTP API. It has a connection of its own: neither the key of the
 * service nor its certificates and proxy are any of the mailbox's business. It only reads.
 */
export function openMailbox(
  url: string,
  {
    timeoutMs,
    stop,
    embedded = false,
  }: { timeoutMs: number; stop: AbortSignal; embedded?: boolean },
): Mailbox {
  const { origin, pathname } = new URL(url)
  let opened: Pool | undefined
  let isClosed = false
  const inTurn = createTurns(connections)
  /** each mail is read once, whoever asks */
  const read = new Map<string, Promise<Mail | undefined>>()
  /** how often in a row no answer came: who is silent twice is not waited for again and again */
  let silences = 0
  let isBusy = false
  const silent = `no answer within ${span(timeoutMs)}`

  /** the object that it answers with; undefined where there is none (404) */
  const ask = async (path: string): Promise<JsonObject | undefined> => {
    const whole = `${pathname.replace(/\/+$/, '')}/api/v1${path}`
    const once = async () => {
      if (silences > 1) throw new Error(silent)
      const late = AbortSignal.timeout(timeoutMs)
      const signal = AbortSignal.any([stop, late])
      const headers = { accept: 'application/json' }
      const ask = { method: 'GET', path: whole, headers, signal } as const
      try {
        if (isClosed) throw new Error('it was closed')
        // Opened with the first question: most clauses look at no mail.
        opened ??= openPool(origin)
        const { statusCode, headers, body } = await opened.request(ask)
        const text = await body.text()
        silences = 0
        return { statusCode, text, retryAfter: String(headers['retry-after'] ?? '') }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
          throw new Error(`an answer of more than ${mostBytes / 1024 ** 2} MiB`)
        if (!late.aborted) throw failureOf(error, 'connecting', false)
        silences += 1
        throw new Error(silent)
      }
    }
    // What waits for its turn is not late.
    const asked = () => inTurn(() => once().catch(once))
    let answer = await asked()
    for (let attempt = 1; ; attempt += 1) {
      const situation = { repeatable: true, attempt, random: Math.random(), now: Date.now() }
      const decision = decide({ ...answer, status: answer.statusCode }, situation)
      // One that was busy to the last attempt is not waited for again.
      if (decision.next === 'retry' && !isBusy) await pause(decision.waitMs, stop)
      else {
        isBusy = decision.next !== 'done'
        break
      }
      answer = await asked()
    }
    const { statusCode, text } = answer
    if (statusCode === 404) return undefined
    if (statusCode !== 200) throw new Error(`${statusCode} to GET ${whole}`)
    const value = jsonIn({ text })
    if (!isObject(value)) throw new Error(`no JSON object for GET ${whole}`)
    return value
  }

  const listed = async (page: number): Promise<Listed[]> => {
    const list = await ask(`/messages?start=${page * pageSize}&limit=${pageSize}`)
    if (!Array.isArray(list?.messages)) throw new Error('no list at /api/v1/messages')
    return list.messages.filter(isObject).map(({ ID, Created }) => ({
      id: String(ID),
      created: Date.parse(String(Created)),
    }))
  }

  const mark = async (): Promise<Mark> => {
    const first = await listed(0)
    return { ids: new Set(first.map(({ id }) => id)), newest: Math.max(...first.map(createdOf)) }
  }

  const since = async ({ ids, newest }: Mark): Promise<Mail[]> => {
    const fresh = new Map<string, Listed>()
    for (let page = 0; ; page += 1) {
      if (page === mostPages)
        throw new Trouble(
          `more than ${page * pageSize} mails have come to ${embedded ? 'the embedded mailbox' : 'MAILBOX_URL'}`,
        )
      const all = await listed(page)
      // Without its time a mail is told by its place: before those that were there.
      const isNew = ({ id, created }: Listed) => !ids.has(id) && !(created < newest)
      for (const one of all) if (isNew(one)) fresh.set(one.id, one)
      if (all.length < pageSize || !all.every(isNew)) break
    }
    const mails = await Promise.all([...fresh.values()].map(mailOf))
    return mails.filter((mail) => mail !== undefined)
  }

  const mailOf = (listed: Listed): Promise<Mail | undefined> => {
    const reading = read.get(listed.id) ?? readMail(listed)
    read.set(listed.id, reading)
    return reading
  }

  /** One that somebody has removed meanwhile is none. */
  const readMail = async ({ id, created }: Listed): Promise<Mail | undefined> => {
    const message = await ask(`/message/${encodeURIComponent(id)}`).catch((error) => {
      read.delete(id)
      throw error
    })
    return message && { id, created, ...contentOf(message) }
  }

  const told =
    <Given extends unknown[], T>(work: (...given: Given) => Promise<T>) =>
    async (...given: Given) => {
      try {
        return await work(...given)
      } catch (error) {
        stop.throwIfAborted()
        if (error instanceof Trouble && !(error instanceof Failure)) throw error
        const why = error instanceof Error ? error.message : String(error)
        throw new Trouble(
          embedded
            ? `the embedded mailbox cannot be read (${why})`
            : `the mailbox at MAILBOX_URL ${origin}${pathname} cannot be read (${why}): is it up, and is it a Mailpit?`,
        )
      }
    }

  const close = async () => {
    isClosed = true
    await opened?.destroy()
  }
  return { url, mark: told(mark), since: told(since), close }
}

/** Lets so many be under way at a time; the others wait for their turn. */
function createTurns(most: number) {
  let underWay = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (underWay >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    underWay += 1
    try {
      return await work()
    } finally {
      underWay -= 1
      waiting.shift()?.()
    }
  }
}

/** The mailbox of a run, where one is set. */
export const mailboxFor = (
  { mailboxUrl, timeoutMs, embedded }: Settings,
  stop: AbortSignal,
): Mailbox | undefined =>
  mailboxUrl === undefined ? undefined : openMailbox(mailboxUrl, { timeoutMs, stop, embedded })

function openPool(origin: string): Pool {
  const { Pool } = wholeUndici()
  return new Pool(origin, { connections, maxResponseSize: mostBytes })
}

type Listed = { id: string; created: number }

const createdOf = ({ created }: Listed) =>
  Number.isNaN(created) ? Number.NEGATIVE_INFINITY : created

function contentOf({ To, Cc, Bcc, Subject, Text, HTML }: JsonObject): Pick<Mail, 'to' | 'words'> {
  const addresses = [To, Cc, Bcc].flatMap((list) => (Array.isArray(list) ? list : []))
  const to = addresses.flatMap((one) =>
    isObject(one) && typeof one.Address === 'string' ? one.Address.toLowerCase() : [],
  )
  const html = typeof HTML === 'string' ? HTML : ''
  // Markup divides words or stands within one: either may be meant.
  const texts = [Subject, Text, unmarked(html, ' '), unmarked(html, '')]
  return { to, words: wordsOf(texts.filter((text) => typeof text === 'string').join('\n')) }
}

/** A text in the form in which mails are compared. */
export const wordsOf = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim()

const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

const unmarked = (html: string, instead: string): string =>
  html
    .replaceAll(/<[^>]*>/g, instead)
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole
      const code = Number.parseInt(decimal ?? hex, decimal ? 10 : 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    })
