// The reference service on a port of its own, beside the process that is timed. Its first message
// has the settings to reach it by; asked, it tells how much it was asked. Arguments: how many events, how many tasks may be changed.
import { environmentFor, settingsFor } from '../../program/stand-in/settings-for.ts'
import { listen } from '../../reference/listen.ts'
import { createMailbox } from '../../reference/mail/mailbox.ts'
import { listenMailbox } from '../../reference/mail/mailbox-listen.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'

const [events = '6600', tasks = '12'] = process.argv.slice(2)
const mailbox = createMailbox()
const world = makeWorld(1, { events: Number(events) })
const service = createService({ world, mailer: mailbox.deliver })
let requests = 0
const { baseUrl } = await listen({
  ...service,
  fetch: (request, address) => {
    requests += 1
    return service.fetch(request, address)
  },
})
const { url } = await listenMailbox(mailbox)
const given = settingsFor(service)
const all = [...given.taskIds, ...given.readTaskIds]

process.send?.({
  SEED: '1',
  BASE_URL: baseUrl,
  ...environmentFor(service),
  TASK_IDS: all.slice(0, Number(tasks)).join(),
  READ_TASK_IDS: all.slice(Number(tasks)).join(),
  MAILBOX_URL: url,
})
process.on('message', () => process.send?.({ requests }))
process.on('disconnect', () => process.exit())
