import { describe, expect, test } from 'vitest'
import { createMailbox } from '../../reference/mail/mailbox.ts'
import { listenMailbox, mailboxApi } from '../../reference/mail/mailbox-listen.ts'
import { open } from '../../reference/rules/open.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld, type Task } from '../../reference/world/world.ts'
import { untilTestEnd } from '../test-end.ts'

const world = makeWorld(1)
const [actor, user, other] = world.users as [Person, Person, Person]
const team = world.teams[1] as (typeof world.teams)[number]
const members = world.users.filter(({ id }) => team.memberIds.includes(id))
const task = world.tasks.find(({ assignment }) => assignment === null) as Task
type Person = (typeof world.users)[number]

const to = (id: string, type: string, comment: string) => ({
  update: {
    assigned_by_id: actor.id,
    assigned_to_id: id,
    assigned_to_type: type,
    assignment_comment: comment,
  },
})
const off = { unassign: { assigned_by_id: actor.id } }
const walk = [
  to(user.id, 'USER', 'for one, "please" <now>\nthanks'),
  to(team.id, 'TEAM', 'for all'),
  to(other.id, 'USER', 'for another'),
  off,
]

/** makes some updates, and returns the API over their mails */
async function after(updates: object[], rules: Partial<Parameters<typeof createService>[0]> = {}) {
  const mailbox = createMailbox(rules.clock)
  const service = createService({ world, mailer: mailbox.deliver, ...rules })
  let version = task.updated_at
  for (const body of updates) {
    const answer = await service.fetch(
      new Request(`http://reference/v5/tasks/${task.id}/update-assignment`, {
        method: 'PUT',
        headers: {
          apikey: world.apiKey,
          'content-type': 'application/json',
          'if-match': version,
        },
        body: JSON.stringify(body),
      }),
    )
    version = ((await answer.json()) as Task).updated_at ?? version
  }
  const api = mailboxApi(mailbox)
  const get = async (path: string) => {
    const answer = await api(new Request(`http://mailbox/api/v1${path}`))
    // biome-ignore lint/suspicious/noExplicitAny: what Mailpit gives has no type here
    return answer.ok ? ((await answer.json()) as any) : answer.status
  }
  const found = async (query: string) => {
    const { messages } = await get(`/search?query=${encodeURIComponent(query)}`)
    return messages.map((message: { To: [{ Address: string }] }) => message.To[0].Address)
  }
  return { get, found, mailbox }
}

describe('the mails', () => {
  test('go to the user, to each member of the team, to the new assignee, and to no others', async () => {
    const { get, found } = await after(walk)
    const mails = [user, ...members, other].map(({ mail }) => mail)
    const all = await get('/messages')
    expect(
      all.messages.map((one: { To: [{ Address: string }] }) => one.To[0].Address).sort(),
    ).toEqual(mails.toSorted())
    expect(await found('"for all"')).toHaveLength(members.length)
    expect(await found('"for another"')).toEqual([other.mail])
    expect(await found(task.id)).toHaveLength(mails.length)
  })

  test('wait for their time', async () => {
    let now = 1_000_000
    const waiting = { ...open, mailDelay: () => 5_000 }
    const { mailbox } = await after(walk, { clock: () => now, open: waiting })
    now += 4_999
    expect(mailbox.messages()).toEqual([])
    now += 1
    expect(mailbox.messages()).toHaveLength(members.length + 2)
  })
})

describe('the API over them', () => {
  test('lists, the newest first, with a start and a limit', async () => {
    const { get } = await after(walk)
    const all = await get('/messages')
    const count = members.length + 2
    expect(all).toMatchObject({ total: count, unread: count, messages_count: count, start: 0 })
    const created = all.messages.map(({ Created }: { Created: string }) => Created)
    expect(created.toSorted().reverse()).toEqual(created)
    const page = await get('/messages?start=1&limit=2')
    expect(page).toMatchObject({ total: count, count: 2, start: 1 })
    expect(page.messages).toEqual(all.messages.slice(1, 3))
  })

  test('gives a message whole, and then has it read', async () => {
    const { get } = await after(walk.slice(0, 1))
    const [summary] = (await get('/messages')).messages
    expect(summary).toMatchObject({ Read: false, From: { Name: 'Workflow' }, Attachments: 0 })
    const message = await get(`/message/${summary.ID}`)
    expect(message).toMatchObject({
      ID: summary.ID,
      To: [{ Name: user.name, Address: user.mail }],
      Subject: expect.stringContaining('Task assigned'),
      Text: expect.stringContaining('for one, "please" <now>\nthanks'),
      HTML: expect.stringContaining('for one, "please" &lt;now><br>thanks'),
      Date: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(await get('/message/latest')).toEqual(message)
    expect(await get('/info')).toMatchObject({ Messages: 1, Unread: 0 })
    expect(await get('/message/none')).toBe(404)
    expect(await get('/search?query=')).toBe(400)
    expect(await get('/none')).toBe(404)
  })

  test.each([
    [`to:"${user.mail}"`, 1],
    [`to:${user.mail.toUpperCase()}`, 1],
    ['to:"nobody@example.com"', 0],
    ['subject:"task reassigned"', members.length + 1],
    ['subject:task -"for all"', 2],
    ['!subject:reassigned', 1],
    ['from:workflow "for another"', 1],
    ['from:workflow 本', members.length + 2],
    [`to:"${user.mail}" "for all"`, members.some(({ id }) => id === user.id) ? 1 : 0],
    ['please now thanks', 1],
  ])('finds by %s', async (query, count) => {
    expect(await (await after(walk)).found(query)).toHaveLength(count)
  })

  test('listens on a port', async () => {
    const { mailbox } = await after(walk)
    const { url } = untilTestEnd(await listenMailbox(mailbox))
    const answer = await fetch(`${url}/api/v1/info`)
    expect(await answer.json()).toMatchObject({ Messages: members.length + 2 })
    expect((await fetch(`${url}/api/v1/messages`, { method: 'DELETE' })).status).toBe(404)
  })
})
