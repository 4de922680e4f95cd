// The reference service on a port of its own, beside the process that is timed. Its first message
// has the settings to reach it by; asked, it tells how much it was asked. Arguments: how many events, how many tasks may be changed.
import { addressesIn, handedOver } from '../../program/embedded.ts'
import { listen } from '../../reference/listen.ts'
import { createMailbox } from '../../reference/mailbox.ts'
import { listenMailbox } from '../../reference/mailbox-listen.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world.ts'

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
const given = handedOver(service)
const { userMails, teamMails } = addressesIn(world)
const all = [...given.taskIds, ...given.readTaskIds]
const pairs = (mails: Record<string, string[]>) =>
  Object.entries(mails).map(([id, addresses]) => `${id}=${addresses.join(';')}`)

process.send?.({
  SEED: '1',
  SETTLE_MS: '100',
  BASE_URL: baseUrl,
  API_KEY: given.apiKey,
  TASK_IDS: all.slice(0, Number(tasks)).join(),
  READ_TASK_IDS: all.slice(Number(tasks)).join(),
  ASSESSMENT_IDS: given.assessmentIds.join(),
  ACTOR_ID: given.actorId,
  USER_IDS: given.userIds.join(),
  TEAM_IDS: given.teamIds.join(),
  MAILBOX_URL: url,
  USER_MAILS: pairs(userMails).join(),
  TEAM_MAILS: pairs(teamMails).join(),
})
process.on('message', () => process.send?.({ requests }))
process.on('disconnect', () => process.exit())
