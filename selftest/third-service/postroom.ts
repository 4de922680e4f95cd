import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Letter } from './model.ts'

const SENDER = { Name: 'Third House', Address: 'desk@thirdhouse.test' }

interface Delivered extends Letter {
  id: string
  when: string
}

/** Receives the mails and shows them the way Mailpit does. */
export class Postroom {
  readonly #mails: Delivered[] = []
  #server: Server | undefined
  #serial = 0

  send(letter: Letter): void {
    this.#serial += 1
    const id = `m${String(this.#serial).padStart(21, '0')}`
    this.#mails.unshift({ ...letter, id, when: new Date().toISOString() })
  }

  async open(): Promise<string> {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://mail.invalid')
      const found = request.method === 'GET' ? this.#answer(url) : undefined
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(found ?? { Error: 'not found' }))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    this.#server = server
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    const server = this.#server
    server?.closeAllConnections()
    if (server) await new Promise((done) => server.close(done))
  }

  #answer(url: URL): unknown {
    if (url.pathname === '/api/v1/messages') return this.#page(this.#mails, url)
    if (url.pathname === '/api/v1/search') {
      const query = url.searchParams.get('query') ?? ''
      return this.#page(
        this.#mails.filter((mail) => fits(mail, query)),
        url,
      )
    }
    const id = /^\/api\/v1\/message\/([^/]+)$/.exec(url.pathname)?.[1]
    const mail = id === 'latest' ? this.#mails[0] : this.#mails.find((one) => one.id === id)
    return mail && { ...head(mail), ...whole(mail) }
  }

  #page(mails: Delivered[], url: URL): unknown {
    const start = Math.max(0, Number(url.searchParams.get('start')) || 0)
    const limit = Math.max(0, Number(url.searchParams.get('limit') ?? 50) || 0)
    const messages = mails.slice(start, start + limit)
    return {
      total: this.#mails.length,
      unread: this.#mails.length,
      count: messages.length,
      messages_count: mails.length,
      messages_unread: mails.length,
      start,
      tags: [],
      messages: messages.map((mail) => ({
        ...head(mail),
        Read: false,
        Created: mail.when,
        Snippet: mail.text.replace(/\s+/g, ' ').slice(0, 250),
        Attachments: 0,
      })),
    }
  }
}

const head = (mail: Delivered) => ({
  ID: mail.id,
  MessageID: `${mail.id}@thirdhouse.test`,
  From: SENDER,
  To: mail.to.map((Address) => ({ Name: '', Address })),
  Cc: [],
  Bcc: [],
  ReplyTo: [],
  Subject: mail.subject,
  Tags: [],
  Username: '',
  Size: Buffer.byteLength(mail.text) + 400,
})

const whole = (mail: Delivered) => ({
  ReturnPath: SENDER.Address,
  Date: mail.when,
  Text: `${mail.text.replaceAll('\n', '\r\n')}\r\n`,
  HTML: '',
  ListUnsubscribe: { Header: '', Links: [], Errors: '', HeaderPost: '' },
  Inline: [],
  Attachments: [],
})

/** The part of Mailpit's search language that is of use here: to:, from:, subject: and words. */
function fits(mail: Delivered, query: string): boolean {
  const terms = query.match(/[a-z]+:"[^"]*"|"[^"]*"|\S+/gi) ?? []
  return terms.every((term) => {
    const [, field = '', word = ''] = /^(?:(to|from|subject|addressed):)?"?([^"]*)"?$/i.exec(
      term,
    ) ?? ['', '', term]
    const places: Record<string, string> = {
      to: mail.to.join(' '),
      addressed: `${mail.to.join(' ')} ${SENDER.Address}`,
      from: SENDER.Address,
      subject: mail.subject,
      '': [mail.subject, mail.text, ...mail.to].join(' '),
    }
    return (places[field.toLowerCase()] ?? '').toLowerCase().includes(word.toLowerCase())
  })
}
