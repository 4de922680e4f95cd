import { Hono } from 'hono'
import type { Mail } from '../calls/mail.ts'
import { listenTo } from '../listen.ts'
import { now } from '../world/world.ts'

type Message = Mail & { id: string }

export type Mailbox = ReturnType<typeof createMailbox>

/** A mail with a later time arrives at that time. */
export function createMailbox() {
  const kept: Mail[] = []
  return {
    deliver: (mail: Mail) => void kept.push(mail),
    /** mails that have arrived, newest first */
    messages: (): Message[] =>
      kept
        .map((mail, at) => ({ ...mail, id: `mail${String(at + 1).padStart(8, '0')}` }))
        .filter(({ time }) => time <= now())
        .sort((a, b) => b.time - a.time),
  }
}

/** The two requests of Mailpit's HTTP API that read a mailbox. */
export function mailboxApi(mailbox: Mailbox): (request: Request) => Promise<Response> {
  const app = new Hono()
  app.get('/api/v1/messages', (c) => {
    const all = mailbox.messages()
    const start = Number(c.req.query('start') ?? 0)
    const messages = all.slice(start, start + Number(c.req.query('limit') ?? 50)).map(headOf)
    return c.json({ total: all.length, count: messages.length, start, messages })
  })
  app.get('/api/v1/message/:id', (c) => {
    const message = mailbox.messages().find(({ id }) => id === c.req.param('id'))
    if (!message) return c.text('404 page not found', 404)
    return c.json({ ...headOf(message), Text: message.text, HTML: message.html })
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

const headOf = ({ id, from, to, subject, time }: Message) => ({
  ID: id,
  From: addressOf(from),
  To: to.map(addressOf),
  Subject: subject,
  Created: new Date(time).toISOString(),
})

const addressOf = ({ name, mail }: { name: string; mail: string }) => ({
  Name: name,
  Address: mail,
})
