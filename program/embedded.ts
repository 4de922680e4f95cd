import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../helpers/settings/settings.ts'
import { listen } from '../reference/listen.ts'
import { createMailbox, type Mailbox } from '../reference/mailbox.ts'
import { listenMailbox } from '../reference/mailbox-listen.ts'
import { createService, type Service } from '../reference/service.ts'
import { makeWorld, type World } from '../reference/world.ts'

/** A service in this process, with the mailbox that its mails go to. */
export type Embedded = Service & { mailbox?: Mailbox }

/** Starts the embedded service, and gives the settings under which it is tested. */
export async function startEmbedded(
  settings: Settings,
  service: Embedded = withMailbox(settings.seed),
): Promise<{ settings: Settings; world: World; close(): Promise<void> }> {
  const { world, mailbox } = service
  const { baseUrl, close } = await listen(service)
  // Whatever MAILBOX_URL says: no mail of this service goes there.
  const mails = mailbox ? await listenMailbox(mailbox) : undefined
  // It ends with the run, and so does whatever would have to be put back there.
  const journalDir = mkdtempSync(join(tmpdir(), 'contract-journal-'))
  const around = { mailboxUrl: mails?.url, ...addressesIn(world) }
  return {
    settings: { ...settings, baseUrl, ...handedOver(service), ...around, journalDir },
    world,
    close: async () => {
      rmSync(journalDir, { recursive: true, force: true })
      await Promise.all([close(), mails?.close()])
    },
  }
}

function withMailbox(seed: number): Embedded {
  const mailbox = createMailbox()
  return { ...createService({ world: makeWorld(seed), mailer: mailbox.deliver }), mailbox }
}

/** What somebody who lends their staging would hand over of a reference service's world. */
export function handedOver({ world }: Pick<Service, 'world'>) {
  const taskIds = world.tasks.map(({ id }) => id)
  const userIds = world.users.map(({ id }) => id)
  return {
    apiKey: world.apiKey,
    taskIds: taskIds.slice(0, 12),
    readTaskIds: taskIds.slice(12),
    assessmentIds: world.assessments.map(({ id }) => id),
    actorId: userIds[0],
    userIds: userIds.slice(1, 4),
    teamIds: world.teams.map(({ id }) => id),
  }
}

/** Where the mails of a world's people go, as USER_MAILS and TEAM_MAILS tell it. */
export function addressesIn({ users, teams }: World) {
  const mailsOf = (ids: string[]) =>
    users.filter(({ id }) => ids.includes(id)).map(({ mail }) => mail)
  return {
    userMails: Object.fromEntries(users.map(({ id }) => [id, mailsOf([id])])),
    teamMails: Object.fromEntries(teams.map(({ id, memberIds }) => [id, mailsOf(memberIds)])),
  }
}
