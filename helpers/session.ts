import { setMaxListeners } from 'node:events'
import type { Findings } from '../engine/clause/shared.ts'
import { createKnownFiles } from '../engine/files/csv.ts'
import type { Recorder } from '../engine/http/client.ts'
import { watchRate } from '../engine/http/rate.ts'
import { NotDecidable, Trouble, toChange } from '../engine/outcome.ts'
import { openWorkerEnd } from '../engine/run/channel.ts'
import { createWaits } from '../engine/time/waits.ts'
import type { Resource } from './contract/fields.ts'
import { lastRead, ledgerOf, sentTo } from './history/accepted-updates.ts'
import { createHistory, earlierOf } from './history/history.ts'
import { problemsOfOp, problemsOfSight } from './history/laws.ts'
import { leftTasksOf } from './history/left-changed.ts'
import { wroteInvalid } from './history/questions.ts'
import { settleWindowOf } from './history/settle-window.ts'
import { followAll, openEndOfRun } from './loans/end-of-run.ts'
import { openJournal } from './loans/journal.ts'
import { createLending } from './loans/lending.ts'
import type { Run, RunNews } from './run.ts'
import { watchClock } from './service/clock.ts'
import { isSameId } from './service/ids.ts'
import { createKeyUse } from './service/key-use.ts'
import { createService, type Service } from './service/service.ts'
import { createWriteBudget } from './service/write-budget.ts'
import { openServiceClient } from './settings/client.ts'
import { openMailbox } from './trail/mailbox.ts'
import { createWatchers } from './trail/sequence-events.ts'
import type { Sequences } from './updates/sequence.ts'

export type Session = ReturnType<typeof openSession>

export function openSession({ id, settings, known, ahead, last }: Run) {
  const stopping = new AbortController()
  const stop: AbortSignal = stopping.signal
  // Every waiting clause listens to it, and Node warns of a leak above ten listeners.
  setMaxListeners(0, stop)
  const channel = openWorkerEnd<RunNews>(id, (reason) => stopping.abort(new Trouble(reason)))
  const { requested: onRequest, answered: onAnswer } = channel
  const client = openServiceClient(settings, { stop, last, onRequest, onAnswer })
  const waitFor = createWaits(channel.waits)
  const waits = {
    emails: waitFor('emails'),
    events: waitFor('audit events'),
    lateEffects: waitFor('late effects of updates'),
  }
  const journal = openJournal(settings.journalDir, settings.baseUrl)
  const { maxWrites } = settings
  const budget = maxWrites === undefined ? undefined : createWriteBudget(maxWrites)
  const history = createHistory()
  const settleWindow = settleWindowOf(history, settings.settleMs)
  const lending = createLending({
    ...{ tasks: known.tasks, settings, journal, stop, tell: channel.note },
    ...{ history, settleWindow, budget },
  })
  const isGiven = (resource: Resource, asked: string) => {
    const { present, absent } = known.ids[resource]
    return [...present, ...absent].some((id) => isSameId(id, asked))
  }
  history.onEnded((op) => {
    for (const { owned, ops } of problemsOfOp(history, op))
      channel.met({ ...owned, exchanges: ops.flatMap(({ exchange }) => exchange ?? []) })
    if (isGiven('task', op.task))
      for (const owned of problemsOfSight(history, op, settings.actorId)) {
        const known = [lastRead(history, op.task, op), ...earlierOf(op), op.exchange]
        channel.met({ ...owned, exchanges: known.flatMap((each) => each ?? []) })
      }
  })
  const rate = watchRate()
  const clock = watchClock(ahead, (ahead) => channel.note({ ahead }))
  const keyUse = createKeyUse()
  const unreachable = new Set<string>()
  const ledger = ledgerOf(history)
  const knownFiles = createKnownFiles()
  const serviceFor = (record: Recorder) => {
    const seen: Recorder = (exchange) => {
      rate.see(exchange)
      clock.see(exchange)
      record(exchange)
    }
    const service = createService(client, seen, {
      baseUrl: settings.baseUrl,
      unreachable,
      budget,
      keyUse,
      apiKey: settings.apiKey,
      isGiven,
      history: {
        begin: history.begin,
        lastRead: (task) => lastRead(history, task),
        assignedIn: (...asked) => history.firstSight(...asked)?.assignment,
        sentTo: (comment) => sentTo(history, comment),
        wroteInvalid: (...member) => wroteInvalid(history, ...member),
      },
      met: channel.met,
      notPermitted: settings.notPermitted,
      knownFiles,
      times: clock.times,
    })
    return settings.readOnly ? withoutUpdates(service) : service
  }
  const findings: Findings = new Map()
  const sequences: Sequences = new Map()
  const { mailboxUrl, settleMs } = settings
  const mailbox =
    mailboxUrl === undefined ? undefined : openMailbox(mailboxUrl, { ...settings, stop })
  const returning: Promise<void>[] = []
  const ended = new Set<string>()
  const follow = async (tasks: readonly string[], service: Service) => {
    await followAll(tasks, { lending, service, settings, stop })
    // Compare the last state of each task with what the last look shows.
    await Promise.allSettled(leftTasksOf(history, 0).unread.map((task) => service.readTask(task)))
  }
  return {
    settings,
    known,
    client,
    lending,
    serviceFor,
    findings,
    sequences,
    ledger,
    mailbox,
    watchers: createWatchers({ settings, known, mailbox, stop, waits }),
    /** tasks of sequences, being returned */
    returning,
    rate,
    clock,
    ended,
    history,
    settleWindow,
    ending: openEndOfRun({ history, ended, settleMs, stop, follow, waits }),
    stop,
    waits,
    close: async () => {
      await Promise.allSettled(returning)
      channel.note({ learned: settleWindow.learned })
      channel.close()
      await Promise.all([client.close(), mailbox?.close()])
    },
  }
}

function withoutUpdates(service: Service): Service {
  const refuse = async () => {
    throw new NotDecidable(...toChange('READ_ONLY', 'READ_ONLY is set: no update is sent'))
  }
  const ahead = () => withoutUpdates(service.ahead())
  return { ...service, put: refuse, putTogether: refuse, ahead }
}
