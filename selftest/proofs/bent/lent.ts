import { environmentFor } from '../../../program/stand-in/settings-for.ts'
import { listen } from '../../../reference/listen.ts'
import { createMailbox, listenMailbox } from '../../../reference/mail/mailbox.ts'
import { open } from '../../../reference/rules/open.ts'
import { stated } from '../../../reference/rules/stated.ts'
import { createService } from '../../../reference/service.ts'
import { makeWorld, type World } from '../../../reference/world/world.ts'
import type { Bent } from '../fault.ts'
import type { Surroundings } from './surroundings.ts'

type Given = ReturnType<typeof environmentFor> & { MAILBOX_URL: string }

/** The settings that an operator gives for the reference service, bent or not, at its own address. */
export const lent =
  (
    hand: (all: Given) => Record<string, string>,
    change: (world: World) => void = () => {},
    bent: Pick<Bent, 'stated' | 'open'> = {},
  ) =>
  async (): Promise<Surroundings> => {
    const world = makeWorld(1, { events: 100 })
    change(world)
    const mailbox = createMailbox()
    const service = createService({
      world,
      stated: { ...stated, ...bent.stated },
      open: { ...open, ...bent.open },
      mailer: mailbox.deliver,
    })
    const [{ baseUrl, close }, mails] = await Promise.all([listen(service), listenMailbox(mailbox)])
    const given = hand({ ...environmentFor(service), MAILBOX_URL: mails.url })
    return {
      env: { BASE_URL: baseUrl, API_KEY: world.apiKey, ...given },
      close: async () => void (await Promise.all([close(), mails.close()])),
    }
  }
