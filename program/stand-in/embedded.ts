import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../../helpers/settings/table.ts'
import { listen } from '../../reference/listen.ts'
import { createMailbox, type Mailbox } from '../../reference/mail/mailbox.ts'
import { listenMailbox } from '../../reference/mail/mailbox-listen.ts'
import { createService, type Service } from '../../reference/service.ts'
import { makeWorld, type World } from '../../reference/world/world.ts'
import { addressesOf, settingsFor } from './settings-for.ts'

/** A service in this process, with the mailbox that its mails go to. */
export type Embedded = Pick<Service, 'fetch' | 'world'> & { mailbox?: Mailbox }

/** Starts the embedded service, and gives the settings under which it is tested. */
export async function openEmbedded(
  settings: Settings,
  service: Embedded = createEmbedded(settings.seed),
): Promise<{ settings: Settings; world: World; close(): Promise<void> }> {
  const { world, mailbox } = service
  const { baseUrl, close } = await listen(service)
  // Whatever MAILBOX_URL says: no mail of this service goes there.
  const mails = mailbox ? await listenMailbox(mailbox) : undefined
  // It ends with the run, and so does whatever would have to be put back there.
  const journalDir = mkdtempSync(join(tmpdir(), 'contract-journal-'))
  const around = { mailboxUrl: mails?.url, ...addressesOf(world) }
  return {
    settings: { ...settings, baseUrl, ...settingsFor(service), ...around, journalDir },
    world,
    close: async () => {
      rmSync(journalDir, { recursive: true, force: true })
      await Promise.all([close(), mails?.close()])
    },
  }
}

function createEmbedded(seed: number): Embedded {
  const mailbox = createMailbox()
  return { ...createService({ world: makeWorld(seed), mailer: mailbox.deliver }), mailbox }
}
