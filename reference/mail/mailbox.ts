import { Hono } from 'hono'
import type { Mail } from '../calls/mail.ts'
import { listenTo } from '../listen.ts'
import { now } from '../world/world.ts'

export type Message = Mail & { id: string }

/** The mails of all people, in memory. */
export type Mailbox = ReturnType<typeof createMailbox>

/** Creates an empty mailbox; a mail with a later time arrives then. */
export function createMailbox(clock: () => number = now) {
  const kept: Message[] = []
  return {
    deliver: (mail: Mail) => {
      kept.push({ ...mail, id: `mail${String(kept.length + 1).padStart(8, '0')}` })
    },
    /** mails that have arrived, newest first */
    messages: (): Message[] => {
      const seen = clock()
      return kept.filter(({ time }) => time <= seen).sort((a, b) => b.time - a.time)
    },
  }
}

/**
 * Whether a Mailpit search finds a message: words, "quoted phrases", to:, from: and subject: must all
 * match; - or ! negates one.
 */
export function isFound(message: Message, query: string): boolean {
  const { from, to, subject, text } = message
  const fields: Record<string, string> = {
    to: plain(to.map(addressed).join(' ')),
    from: plain(addressed(from)),
    subject: plain(subject),
  }
  const everything = plain(`${Object.values(fields).join(' ')} ${text}`)
  return termsOf(query).every(({ isDenied, field, words }) => {
    const isIn = (field ? (fields[field] as string) : everything).includes(words)
    return isIn !== isDenied
  })
}

const termsOf = (query: string) =>
  // A term ends at a space outside quotes.
  [...query.matchAll(/(?:"[^"]*"|[^\s"])+/g)].flatMap(([term]) => {
    const [, denied, field, rest = ''] =
      /^([-!])?(?:(to|from|subject):)?(.*)$/is.exec(term.replaceAll('"', '')) ?? []
    // Mailpit also ignores terms without a Latin letter or digit.
    if (!/[a-z0-9]/i.test(rest)) return []
    return [{ isDenied: denied !== undefined, field: field?.toLowerCase(), words: plain(rest) }]
  })

const addressed = ({ name, mail }: { name: string; mail: string }) => `${name} ${mail}`

/** Lower case, with single spaces between words. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[\s<>",;()]+/g, ' ')
    .trim()

/** The reading part of Mailpit's HTTP API over a mailbox; it deletes nothing. */
export function mailboxApi(mailbox: Mailbox): (request: Request) => Promise<Response> {
  const read = new Set<string>()
  const unread = (messages: Message[]) => messages.filter(({ id }) => !read.has(id)).length

  const summaryOf = (found: Message[], query: Record<string, string>) => {
    const all = mailbox.messages()
    const start = positive(query.start) ?? 0
    const messages = found.slice(start, start + (positive(query.limit) ?? 50))
    return {
      total: all.length,
      unread: unread(all),
      count: messages.length,
      messages_count: found.length,
      messages_unread: unread(found),
      start,
      tags: [],
      messages: messages.map((message) => ({
        ...headOf(message),
        Read: read.has(message.id),
        Created: dateOf(message),
        Attachments: 0,
        Snippet: message.text.replaceAll(/\s+/g, ' ').slice(0, 250),
      })),
    }
  }

  const app = new Hono()
  app.get('/api/v1/messages', (c) => c.json(summaryOf(mailbox.messages(), c.req.query())))
  app.get('/api/v1/search', (c) => {
    const query = (c.req.query('query') ?? '').trim()
    if (query === '') return c.text('Error: no search query', 400)
    const found = mailbox.messages().filter((message) => isFound(message, query))
    return c.json(summaryOf(found, c.req.query()))
  })
  app.get('/api/v1/message/:id', (c) => {
    const id = c.req.param('id')
    const messages = mailbox.messages()
    const message = id === 'latest' ? messages[0] : messages.find((one) => one.id === id)
    if (!message) return c.text('404 page not found', 404)
    read.add(message.id)
    return c.json({
      ...headOf(message),
      ReturnPath: message.from.mail,
      Date: dateOf(message),
      Text: message.text,
      HTML: message.html,
      Inline: [],
      Attachments: [],
    })
  })
  app.get('/api/v1/info', (c) => {
    const messages = mailbox.messages()
    return c.json({
      Version: 'embedded',
      LatestVersion: 'embedded',
      Database: '',
      DatabaseSize: 0,
      Messages: messages.length,
      Unread: unread(messages),
      Tags: {},
    })
  })
  return async (request) => await app.fetch(request)
}

/** Listens with a mailbox's HTTP API; `url` is the value for MAILBOX_URL. */
export async function listenMailbox(
  mailbox: Mailbox,
  place: { port?: number; host?: string } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const { origin, close } = await listenTo(mailboxApi(mailbox), place)
  return { url: origin, close }
}

const headOf = ({ id, from, to, subject, text, html }: Message) => ({
  ID: id,
  MessageID: `${id}@workflow.example.com`,
  From: addressOf(from),
  To: to.map(addressOf),
  Cc: [],
  Bcc: [],
  ReplyTo: [],
  Subject: subject,
  Tags: [],
  Size: Buffer.byteLength(text + html),
})

const addressOf = ({ name, mail }: { name: string; mail: string }) => ({
  Name: name,
  Address: mail,
})

const dateOf = ({ time }: Message) => new Date(time).toISOString()

const positive = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : undefined
