import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Transport } from '../../engine/http/transport.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import { listenTo } from '../../reference/listen.ts'
import { createMailbox, type Mailbox, mailboxApi } from '../../reference/mail/mailbox.ts'
import { createService, type Service } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { addressesOf, settingsFor } from './settings-for.ts'

/** How services of this process are reached; default: by sockets. */
export type Place = {
  listenTo(fetch: Service['fetch']): Promise<{ origin: string; close(): Promise<void> }>
  transport?: Transport
}

/** A service in this process, with its mailbox; without a place it gets a port. */
export type Embedded = Pick<Service, 'fetch' | 'world'> & { mailbox?: Mailbox; place?: Place }

const onPorts: Place = { listenTo: (fetch) => listenTo(fetch, {}) }

export async function openEmbedded(settings: Settings, service = createEmbedded(settings.seed)) {
  const { world, mailbox, place = onPorts } = service
  const { origin, close } = await place.listenTo(service.fetch)
  // Even with MAILBOX_URL set: this service's mails never go there.
  const mails = mailbox ? await place.listenTo(mailboxApi(mailbox)) : undefined
  // The service ends with the run, and so does anything left to put back.
  const journalDir = mkdtempSync(join(tmpdir(), 'contract-journal-'))
  const own = { baseUrl: `${origin}/v5`, mailboxUrl: mails?.origin, journalDir }
  return {
    settings: {
      ...{ ...settings, ...settingsFor(service), ...addressesOf(world), ...own },
      ...(place.transport && { transport: place.transport }),
    },
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
