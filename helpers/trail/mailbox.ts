import { isAccepted, isObject, type JsonObject, jsonIn } from '../../engine/http/answers.ts'
import { openClient } from '../../engine/http/client.ts'
import type { Transport } from '../../engine/http/transport.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { wordsOf } from './traces.ts'

export type Mail = {
  id: string
  /** arrival by the mailbox's clock, in milliseconds; NaN if the mailbox does not say */
  created: number
  to: string[]
  words: string
}

type Listed = Pick<Mail, 'id' | 'created'>

type Mark = { ids: Set<string>; newest: number }

export type Mailbox = ReturnType<typeof openMailbox>

const pageSize = 100
const mostPages = 10

/** Mailpit's HTTP API, read only. The key, certificates and proxy of the service are not for the mailbox. */
export function openMailbox(
  url: string,
  deps: { timeoutMs: number; stop: AbortSignal; embedded?: boolean; transport?: Transport },
) {
  const { timeoutMs, stop, embedded, transport } = deps
  const { origin, pathname } = new URL(url)
  const baseUrl = `${origin}${pathname}`
  const agent = { apiKey: '', keyHeader: 'apikey', userAgent: 'task-assignment-contract' }
  const limits = { concurrency: 4, timeoutMs, downloadTimeoutS: 0, maxExportMb: 0, seed: 1 }
  const client = openClient({ baseUrl, ...agent, ...limits, transport }, { stop, tellsSoon: true })
  const read = new Map<string, Promise<Mail | undefined>>()
  let broken: Trouble | undefined

  const ask = async (path: string): Promise<JsonObject | undefined> => {
    const answer = await client.ask({ method: 'GET', path: `/api/v1${path}`, key: null })
    if (answer.status === 404) return undefined
    const value = isAccepted(answer) ? jsonIn({ text: answer.text }) : undefined
    if (isObject(value)) return value
    const came = isAccepted(answer) ? 'no JSON object' : answer.status
    throw new Trouble(`GET ${answer.path}: ${came}`)
  }

  const listed = async (page: number): Promise<Listed[]> => {
    const list = await ask(`/messages?start=${page * pageSize}&limit=${pageSize}`)
    if (!Array.isArray(list?.messages)) throw new Trouble('no list at /api/v1/messages')
    return list.messages.filter(isObject).map(({ ID, Created }) => ({
      id: String(ID),
      created: Date.parse(String(Created)),
    }))
  }

  const mark = async (): Promise<Mark> => {
    const first = await listed(0)
    const times = first.flatMap(({ created }) => (Number.isNaN(created) ? [] : [created]))
    return { ids: new Set(first.map(({ id }) => id)), newest: Math.max(...times) }
  }

  const since = async ({ ids, newest }: Mark): Promise<Mail[]> => {
    const fresh = new Map<string, Listed>()
    for (let page = 0; ; page += 1) {
      if (page === mostPages)
        throw new Trouble(`it contains more than ${page * pageSize} new emails`)
      const all = await listed(page)
      // A mail without a time is new if it precedes the known ones.
      const isNew = ({ id, created }: Listed) => !ids.has(id) && !(created < newest)
      for (const one of all) if (isNew(one)) fresh.set(one.id, one)
      if (all.length < pageSize || !all.every(isNew)) break
    }
    const mails = [...fresh.values()].map((one) => {
      const reading = read.get(one.id) ?? readMail(one)
      read.set(one.id, reading)
      return reading
    })
    return (await Promise.all(mails)).filter((mail) => mail !== undefined)
  }

  /** A mail that was removed meanwhile does not count. */
  const readMail = async (listed: Listed): Promise<Mail | undefined> => {
    const message = await ask(`/message/${encodeURIComponent(listed.id)}`)
    return message && { ...listed, ...contentOf(message) }
  }

  const unlessBroken =
    <Given extends unknown[], T>(work: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      if (broken) throw broken
      try {
        return await work(...given)
      } catch (error) {
        stop.throwIfAborted()
        if (error instanceof NotDecidable) throw error
        const why = error instanceof Error ? error.message : String(error)
        const ours = `the embedded mailbox cannot be read (${why})`
        const theirs = `the mailbox at MAILBOX_URL ${baseUrl} cannot be read (${why}): is it up, and is it a Mailpit?`
        broken ??= new Trouble(embedded ? ours : theirs)
        throw broken
      }
    }

  return { mark: unlessBroken(mark), since: unlessBroken(since), close: client.close }
}

function contentOf({ To, Cc, Bcc, Subject, Text, HTML }: JsonObject): Pick<Mail, 'to' | 'words'> {
  const addresses = [To, Cc, Bcc].flatMap((list) => (Array.isArray(list) ? list : []))
  const to = addresses.flatMap((one) =>
    isObject(one) && typeof one.Address === 'string' ? one.Address.toLowerCase() : [],
  )
  const html = typeof HTML === 'string' ? HTML : ''
  // Markup may be between words or within a word: keep both readings.
  const texts = [Subject, Text, unmarked(html, ' '), unmarked(html, '')]
  return { to, words: wordsOf(texts.filter((text) => typeof text === 'string').join('\n')) }
}

const signs = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const characters: Record<string, string> = signs

const unmarked = (html: string, instead: string): string =>
  html
    .replaceAll(/<[^>]*>/g, instead)
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return characters[name.toLowerCase()] ?? whole
      const code = Number.parseInt(decimal ?? hex, decimal ? 10 : 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    })
