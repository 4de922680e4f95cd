import type { Mail } from '../calls/mail.ts'
import { now } from '../world/clock.ts'

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
