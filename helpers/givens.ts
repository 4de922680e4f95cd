import { caseOf } from '../engine/clause/case.ts'
import { chosenIds, isNamed, provided } from '../engine/clause/chosen.ts'
import type { ClauseRun, GivensOfRun } from '../engine/clause/given.ts'
import { sharedAmong } from '../engine/clause/shared.ts'
import { openAgent } from '../engine/http/agent.ts'
import { isAccepted } from '../engine/http/answers.ts'
import type { Exchange } from '../engine/http/exchange.ts'
import type { RateWatch } from '../engine/http/rate.ts'
import { once } from '../engine/once.ts'
import { NotDecidable, outcomeOf, toSet } from '../engine/outcome.ts'
import { randomFor } from '../engine/random.ts'
import { poll } from '../engine/time/polling.ts'
import { openKeyProbes } from './access/key-probes.ts'
import type { Resource } from './contract/fields.ts'
import { idSettingsOf, resourceReadBy } from './contract/operations.ts'
import { pdfLimit } from './contract/pdf-limit.ts'
import { statuses } from './contract/statuses.ts'
import { createExports, type Exports } from './export/ask/exports.ts'
import { learnPdfIdentity } from './export/laws/pdf-entries.ts'
import { findAroundLimit } from './export/learn/around-limit.ts'
import { type ArrayForm, createFilters, probeForm, type Sources } from './export/learn/filters.ts'
import { findSample } from './export/learn/known-events.ts'
import { createRanges, unlessUndecided } from './export/learn/ranges.ts'
import { findWindow, type Window } from './export/learn/window.ts'
import { carriedOutMeanwhile, refusedShownSince } from './history/questions.ts'
import { settleLeftTasks } from './loans/end-of-run.ts'
import { aloneWith, type Loan } from './loans/lending.ts'
import { allRead, readerOf } from './reads/readings.ts'
import { fetchMalformed, fetchRefusals, needKeyAccepted } from './reads/refusals.ts'
import { type KnownIds, readableBeside } from './service/known.ts'
import type { Shared } from './service/service.ts'
import type { Assignee } from './service/update-request.ts'
import { openSession, type Session } from './session.ts'
import type { Settings } from './settings/table.ts'
import { type Arrivals, fetchByEnd, haveAllCome, needMailOfService } from './trail/mails.ts'
import { fetchFound } from './trail/sequence-events.ts'
import { createAttempts } from './updates/attempts.ts'
import { makeFurtherUpdates } from './updates/further-updates.ts'
import { createSequenceView } from './updates/sequence.ts'

/**
 * What makes the givens of one clause, each when it is first needed and once. One that cannot be had skips the clause
 * with the reason.
 */
class ClauseGivens {
  readonly #session: Session
  readonly #clause: ClauseRun
  readonly #resource: Resource

  constructor(session: Session, clause: ClauseRun) {
    this.#session = session
    this.#clause = clause
    this.#resource = resourceReadBy(clause)
  }

  readonly #record = (exchange: Exchange) => this.#clause.evidence.push(exchange)

  session = () => this.#session
  settings = () => this.#session.settings
  random = once(() => randomFor(this.#session.settings.seed, this.#clause.id))
  service = once(() => this.#session.serviceFor(this.#record))

  shared = once(() => sharedAmong(this.#session.findings, this.#session.serviceFor, this.#record))

  // Random, so that no service can know it.
  unknownId = once(() => this.random().string.uuid())

  taskReadings = once(async () => {
    const { known } = this.#session
    const readings = await allRead('task', this.shared(), known)
    if (readings.length === 0) needFound('task', known)
    return readings
  })

  sources = once((): Sources => {
    const { known, settings } = this.#session
    // If this key may not read it, try the next id.
    const read = (resource: Resource) =>
      allRead(resource, this.shared(), known).catch(unlessUndecided)
    return {
      settings,
      read: async () => ({
        tasks: (await read('task')) ?? [],
        assessments: (await read('assessment')) ?? [],
      }),
    }
  })

  allRead = once(() => allRead(this.#resource, this.shared(), this.#session.known))

  readings = once(async () => {
    const readings = await this.allRead()
    return readings.length > 0 ? readings : needFound(this.#resource, this.#session.known)
  })

  refusals = once(async () => {
    const resource = this.#resource
    const readings = await this.allRead()
    const random = randomFor(this.settings().seed, `${resource} refusals`)
    const other = readableBeside(resource, this.#session.known)
    const refusals = await this.shared()(`${resource} refusals`, (service) =>
      fetchRefusals(readerOf(resource, service), random, other),
    )
    needKeyAccepted(refusals, readings, `${resource}.read`)
    return refusals
  })

  malformedReads = once(async () => {
    const resource = this.#resource
    // If no error response shows that the key is accepted, those to malformed ids do not either.
    await this.refusals()
    const random = randomFor(this.settings().seed, `malformed ${resource} ids`)
    const { readable } = this.#session.known.ids[resource]
    const answers = await this.shared()(`malformed ${resource} ids`, (service) =>
      fetchMalformed(readerOf(resource, service), random, readable),
    )
    const readings = await this.allRead()
    const control = readings.find(({ answer }) => isAccepted(answer))?.answer
    return answers.map((answer) => caseOf(answer, { control }))
  })

  actor = () =>
    this.settings().actorId ?? missing('ACTOR_ID', ': the user who makes the assignments')

  user = (): Assignee => {
    const id = this.settings().userIds[0] ?? missing('USER_IDS', ': users to assign to')
    return { id, type: 'USER' }
  }

  stillTaskId = once(async () => {
    const { known, settings, lending } = this.#session
    const still = known.tasks.find(
      ({ lendable, heldBy }) => (!lendable && !heldBy) || settings.readOnly,
    )
    if (still) return still.id
    const loan = await lending.borrow('any', this.service())
    this.#clause.onEnd(loan.giveBack)
    return loan.task.id
  })

  outside = once(() => {
    const settings = this.settings()
    const { outsideProxyUrl } = settings
    if (!outsideProxyUrl) missing('OUTSIDE_PROXY_URL', ': an egress proxy off the allow list')
    const agent = openAgent(settings, outsideProxyUrl)
    this.#clause.onEnd(() => agent.close())
    return agent
  })

  otherRegion = () =>
    this.settings().wrongRegionUrl ??
    missing('WRONG_REGION_URL', ': the base address of another region')

  keyInQuery = () => {
    const { embedded, keyInQuery, apiKey } = this.settings()
    if (embedded || keyInQuery) return `apikey=${encodeURIComponent(apiKey)}`
    return missing('KEY_IN_QUERY', '=1: the key is then part of a URL, and URLs may be logged')
  }

  exports = once(async (): Promise<Exports> => {
    await clockSeen(this.#session)
    const { arrayEncoding: form } = this.settings()
    const isSettled = form !== 'auto'
    return createExports(this.service(), this.shared(), isSettled ? form : 'repeat', isSettled)
  })

  // A proof may lower it, together with its service.
  pdfLimit = () => provided('run').pdfLimit ?? pdfLimit

  window = once(async () =>
    findWindow(await this.exports(), { ...this.#session, pdfLimit: this.pdfLimit() }),
  )

  aroundLimit = once(async () => {
    const exports = await this.exports()
    const window = await this.window()
    return exports.once('around the PDF limit', (inner) =>
      findAroundLimit(inner, window, this.pdfLimit()),
    )
  })

  // What distinguishes events in PDFs, learned from the PDF of the window.
  pdfIdentity = once(async () => learnPdfIdentity(await this.exports(), await this.window()))

  ranges = once(async () => {
    await clockSeen(this.#session)
    const exports = createExports(this.service(), this.shared(), 'repeat')
    return createRanges(exports, { ...this.#session, pdfLimit: this.pdfLimit() })
  })

  openFilters = once(async () => {
    const exports = await this.exports()
    return async () => {
      const sources = this.sources()
      const window = await findWindow(exports, { ...this.#session, pdfLimit: this.pdfLimit() })
      const form = await formFor({ exports, settings: this.settings(), window, sources })
      const inForm = createExports(this.service(), this.shared(), form.encoding, form.settled)
      return createFilters(inForm, { window, form, sources })
    }
  })

  filters = once(async () => {
    const learnFilters = await this.openFilters()
    return learnFilters()
  })

  sample = once(async () => {
    const exports = await this.exports()
    return exports.once('sample of the export', (inner) =>
      findSample(inner, { ...this.#session, pdfLimit: this.pdfLimit() }),
    )
  })

  sequence = once(() => createSequenceView(this.#session, this.#record))

  trail = once(() =>
    fetchFound(this.#session.watchers.events, {
      ...this.#session,
      shared: this.shared(),
      sequence: this.sequence(),
    }),
  )

  // After the last change by another clause: all changes of the run must be recorded.
  updatesOver = () => async () => {
    const { ending } = this.#session
    await ending.updatesEnded()
    await ending.followed()
  }

  // For a clause that sends updates then: no other clause waits for it in turn.
  otherUpdatesOver = () => () => this.#session.ending.updatesEnded(this.#clause.id)

  ledger = once(async () => {
    await this.updatesOver()()
    return this.#session.ledger
  })

  arrivals = once(async (): Promise<Arrivals> => {
    const { mailbox } = this.#session
    if (!mailbox) missing('MAILBOX_URL', ': where the emails of the service can be read')
    return fetchArrivals(this.#session, this.shared())
  })

  // Once all other clauses have ended: it covers everything they met.
  rate = once(async (): Promise<RateWatch> => {
    const { ending, rate } = this.#session
    await ending.allEnded(chosenIds().filter((id) => id !== this.#clause.id))
    this.#clause.evidence.push(...rate.evidence)
    return rate
  })

  // When no clause does anything more: late effects of rejected updates are looked for until then.
  over = once(() => this.#session.ending.of(this.#clause.id, this.shared()))

  leftTasks = once(async () => {
    const left = await settleLeftTasks({
      ...this.#session,
      service: this.service(),
      sequence: this.sequence(),
      over: this.over(),
    })
    this.#clause.evidence.push(...left.flatMap(({ by }) => by ?? []))
    return left
  })

  attempts = once(() =>
    createAttempts({
      ...this.#session,
      shared: this.shared(),
      sequence: this.sequence(),
      over: this.over(),
    }),
  )

  people = once(() => this.sequence().people())
  control = once(() => this.sequence().needControls('update'))

  furtherUpdates = once(async () => {
    const people = await this.people()
    return makeFurtherUpdates({ ...this.#session, shared: this.shared(), people })
  })

  borrowed = once(async () => {
    const { lending, history } = this.#session
    const loan = await lending.borrow('any', this.service(), 'first')
    const { meta } = this.#clause
    this.#clause.onEnd(async () => {
      const met = refusedShownSince(history, loan.task.id, loan.since)
      if (met && meta.outcome?.kind === 'broken') meta.outcome = outcomeOf(carriedOutMeanwhile(met))
      await loan.giveBack()
    })
    return loan
  })

  alone =
    () =>
    <T>(act: (loans: [Loan, ...Loan[]]) => Promise<T>) =>
      aloneWith(this.#session, this.service(), act)

  keyProbes = once(() => {
    const probes = openKeyProbes({
      ...this.#session,
      service: this.service(),
      shared: this.shared(),
      sequence: this.sequence(),
      random: this.random(),
    })
    this.#clause.onEnd(probes.close)
    return probes
  })
}

export type Givens = {
  [Name in keyof ClauseGivens]: Awaited<ReturnType<ClauseGivens[Name]>>
}

/** Opens the session of a run when its first clause needs it. */
export function openGivens(): GivensOfRun<Givens> {
  let session: Session | undefined
  return {
    makersFor(clause) {
      session ??= openSession(provided('run'))
      const { ended } = session
      clause.onEnd(() => ended.add(clause.id))
      return new ClauseGivens(session, clause)
    },
    close: async () => session?.close(),
  }
}

async function fetchArrivals(session: Session, shared: Shared): Promise<Arrivals> {
  const { settings, stop, waits, watchers, ending } = session
  const sequence = createSequenceView(session, () => {})
  const inTime = await fetchFound(watchers.mails, { ...session, sequence, shared })
  const arrivals = await shared('emails by the end of the run', async () => {
    if (await haveAllCome(inTime, settings, { stop, waiting: waits.emails })) return inTime
    // These clauses wait for the end too.
    await ending.updatesEnded()
    return fetchByEnd(inTime)
  })
  const { updates } = session.ledger
  const assigned = updates.filter(({ assignment }) => assignment !== null)
  await needMailOfService(arrivals, settings, assigned.length)
  return arrivals
}

async function formFor(known: Learning): Promise<ArrayForm> {
  const { exports, settings, window, sources } = known
  const { arrayEncoding } = settings
  if (arrayEncoding !== 'auto') return { encoding: arrayEncoding, declared: true, settled: true }
  return exports.once('array encoding', (inner) => probeForm(inner, window, sources))
}

type Learning = { exports: Exports; settings: Settings; window: Window; sources: Sources }

/** Givens that make the sequence of updates themselves. */
export const travellers: readonly (keyof Givens)[] = ['people', 'trail', 'arrivals']
/** A single task may be on loan for long: after this, the Date of answers must do. */
const limitMs = 10_000

/** If the run makes updates, waits until one has shown the service's clock: the Date header may be a gateway's. */
async function clockSeen(session: Session): Promise<void> {
  if (!travellers.some(isNamed)) return
  const { clock, stop } = session
  const updates = createSequenceView(session, () => {}).accepted('transitions')
  const seen = poll(async () => clock.ahead.updated !== undefined, Boolean, { limitMs, stop })
  await Promise.race([updates, seen]).catch(() => {})
}

function needFound(resource: Resource, { ids }: KnownIds): never {
  const names = idSettingsOf(resource)
  if (ids[resource].absent.length === 0)
    throw new NotDecidable(...toSet(names, `: ${resource}s that can be read`, 'or'))
  const settings = names.join(' or ')
  const none = `none of the ids of ${settings} is found (${statuses.unknownId}): correct ${settings}`
  throw new NotDecidable('refused', none, null)
}

function missing(name: string, what: string): never {
  throw new NotDecidable(...toSet([name], what))
}
