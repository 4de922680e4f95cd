import { expect, test } from 'vitest'
import { createMailbox, mailboxApi } from '../../reference/mail/mailbox.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld, type Task } from '../../reference/world/world.ts'

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

/** Makes some updates, and returns the recipients of the mails that a search finds. */
async function found(updates: object[], query: string): Promise<string[]> {
  const mailbox = createMailbox()
  const service = createService({ world, mailer: mailbox.deliver })
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
  const search = `http://mailbox/api/v1/search?query=${encodeURIComponent(query)}`
  const { messages } = (await (await mailboxApi(mailbox)(new Request(search))).json()) as {
    messages: { To: [{ Address: string }] }[]
  }
  return messages.map(({ To: [{ Address }] }) => Address)
}

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
])('a search finds mails by %s', async (query, count) => {
  expect(await found(walk, query)).toHaveLength(count)
})
