import { test as base, type TestAPI, type TestContext } from 'vitest'
import { caseOf } from '../engine/clause/case.ts'
import { chosenIds, isNamed, provided } from '../engine/clause/chosen.ts'
import { sharedAmong } from '../engine/clause/shared.ts'
import { openAgent } from '../engine/http/agent.ts'
import { isAccepted } from '../engine/http/answers.ts'
import type { Exchange } from '../engine/http/exchange.ts'
import type { RateWatch } from '../engine/http/rate.ts'
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

/** A clause gets the givens that its body names. One that cannot be had skips the clause with the reason. */
export const test = base
  .extend('session', { scope: 'file' }, async ({}, { onCleanup }) => {
    const session = openSession(provided('run'))
    onCleanup(session.close)
    return session
  })
  .extend('ending', { auto: true }, async ({ session, task }, { onCleanup }) => {
    onCleanup(() => void session.ended.add(task.name))
  })
  .extend('evidence', { auto: true }, async ({ task }, { onCleanup }) => {
    const evidence: Exchange[] = []
    // Not earlier: vitest sends a test's meta again after each step.
    onCleanup(() => {
      task.meta.evidence = evidence
    })
    return evidence
  })
  .extend('settings', async ({ session }) => session.settings)
  .extend('random', async ({ session, task }) => randomFor(session.settings.seed, task.name))
  .extend('service', async ({ session, evidence }) =>
    session.serviceFor((exchange) => evidence.push(exchange)),
  )
  .extend('shared', async ({ session, evidence }) =>
    sharedAmong(session.findings, session.serviceFor, (exchange) => evidence.push(exchange)),
  )
  // Random, so that no service can know it.
  .extend('unknownId', async ({ random }) => random.string.uuid())
  .extend('taskReadings', async ({ session, shared }) => {
    const readings = await allRead('task', shared, session.known)
    if (readings.length === 0) needFound('task', session.known)
    return readings
  })
  .extend(
    'sources',
    async ({ session, settings, shared }): Promise<Sources> => ({
      settings,
      // If this key may not read it, try the next id.
      read: async () => ({
        tasks: (await allRead('task', shared, session.known).catch(unlessUndecided)) ?? [],
        assessments:
          (await allRead('assessment', shared, session.known).catch(unlessUndecided)) ?? [],
      }),
    }),
  )
  .extend(
    'resource',
    async ({ task: { meta } }): Promise<Resource> => resourceReadBy(meta.clause ?? {}),
  )
  .extend('allRead', ({ resource, session, shared }) => allRead(resource, shared, session.known))
  .extend('readings', async ({ resource, session: { known }, allRead }) => {
    return allRead.length > 0 ? allRead : needFound(resource, known)
  })
  .extend('refusals', async ({ resource, session, shared, settings, allRead }) => {
    const random = randomFor(settings.seed, `${resource} refusals`)
    const other = readableBeside(resource, session.known)
    const refusals = await shared(`${resource} refusals`, (service) =>
      fetchRefusals(readerOf(resource, service), random, other),
    )
    needKeyAccepted(refusals, allRead, `${resource}.read`)
    return refusals
  })
  // If no error response shows that the key is accepted, those to malformed ids do not either.
  .extend(
    'malformedReads',
    async ({ resource, session, shared, settings, refusals: _, allRead }) => {
      const random = randomFor(settings.seed, `malformed ${resource} ids`)
      const { readable } = session.known.ids[resource]
      const answers = await shared(`malformed ${resource} ids`, (service) =>
        fetchMalformed(readerOf(resource, service), random, readable),
      )
      const control = allRead.find(({ answer }) => isAccepted(answer))?.answer
      return answers.map((answer) => caseOf(answer, { control }))
    },
  )
  .extend('actor', async ({ settings }) => {
    return settings.actorId ?? missing('ACTOR_ID', ': the user who makes the assignments')
  })
  .extend('user', async ({ settings }): Promise<Assignee> => {
    const id = settings.userIds[0] ?? missing('USER_IDS', ': users to assign to')
    return { id, type: 'USER' }
  })
  .extend('stillTaskId', async ({ session, service }, { onCleanup }) => {
    const read = session.known.tasks.find(
      ({ lendable, heldBy }) => (!lendable && !heldBy) || session.settings.readOnly,
    )
    if (read) return read.id
    const loan = await session.lending.borrow('any', service)
    onCleanup(loan.giveBack)
    return loan.task.id
  })
  .extend('outside', async ({ settings }, { onCleanup }) => {
    const { outsideProxyUrl } = settings
    if (!outsideProxyUrl) missing('OUTSIDE_PROXY_URL', ': an egress proxy off the allow list')
    const agent = openAgent(settings, outsideProxyUrl)
    onCleanup(() => agent.close())
    return agent
  })
  .extend('otherRegion', async ({ settings }) => {
    const { wrongRegionUrl } = settings
    return wrongRegionUrl ?? missing('WRONG_REGION_URL', ': the base address of another region')
  })
  .extend('keyInQuery', async ({ settings: { embedded, keyInQuery, apiKey } }) => {
    if (embedded || keyInQuery) return `apikey=${encodeURIComponent(apiKey)}`
    return missing('KEY_IN_QUERY', '=1: the key is then part of a URL, and URLs may be logged')
  })
  .extend('exports', async ({ session, service, shared }): Promise<Exports> => {
    await clockSeen(session)
    const { arrayEncoding: form } = session.settings
    return createExports(service, shared, form === 'auto' ? 'repeat' : form, form !== 'auto')
  })
  // A proof may lower it, together with its service.
  .extend('pdfLimit', async () => provided('run').pdfLimit ?? pdfLimit)
  .extend('window', ({ exports, session, pdfLimit }) =>
    findWindow(exports, { ...session, pdfLimit }),
  )
  .extend('aroundLimit', ({ exports, window, pdfLimit }) =>
    exports.once('around the PDF limit', (inner) => findAroundLimit(inner, window, pdfLimit)),
  )
  // What distinguishes events in PDFs, learned from the PDF of the window.
  .extend('pdfIdentity', ({ exports, window }) => learnPdfIdentity(exports, window))
  .extend('ranges', async ({ session, service, shared, pdfLimit }) => {
    await clockSeen(session)
    return createRanges(createExports(service, shared, 'repeat'), { ...session, pdfLimit })
  })
  .extend(
    'openFilters',
    ({ exports, service, shared, session, settings, sources, pdfLimit }) =>
      async () => {
        const window = await findWindow(exports, { ...session, pdfLimit })
        const form = await formFor({ exports, settings, window, sources })
        const inForm = createExports(service, shared, form.encoding, form.settled)
        return createFilters(inForm, { window, form, sources })
      },
  )
  .extend('filters', ({ openFilters }) => openFilters())
  .extend('sample', async ({ exports, session, pdfLimit }) =>
    exports.once('sample of the export', (inner) => findSample(inner, { ...session, pdfLimit })),
  )
  .extend('sequence', async ({ session, evidence }) =>
    createSequenceView(session, (exchange) => evidence.push(exchange)),
  )
  .extend('trail', async ({ session, shared, sequence }) =>
    fetchFound(session.watchers.events, { ...session, shared, sequence }),
  )
  // After the last change by another clause: all changes of the run must be recorded.
  .extend('updatesOver', async ({ session: { ending } }) => async () => {
    await ending.updatesEnded()
    await ending.followed()
  })
  .extend('ledger', async ({ session, updatesOver }) => {
    await updatesOver()
    return session.ledger
  })
  .extend('arrivals', async ({ session, shared }): Promise<Arrivals> => {
    if (!session.mailbox) missing('MAILBOX_URL', ': where the emails of the service can be read')
    return fetchArrivals(session, shared)
  })
  // Once all other clauses have ended: it covers everything they met.
  .extend('rate', async ({ session, evidence, task }): Promise<RateWatch> => {
    await session.ending.allEnded(chosenIds().filter((id) => id !== task.name))
    evidence.push(...session.rate.evidence)
    return session.rate
  })
  // When no clause does anything more: late effects of rejected updates are looked for until then.
  .extend('over', async ({ session, shared, task }) => session.ending.of(task.name, shared))
  .extend('leftTasks', async ({ session, service, sequence, over, evidence }) => {
    const left = await settleLeftTasks({ ...session, service, sequence, over })
    evidence.push(...left.flatMap(({ by }) => by ?? []))
    return left
  })
  .extend('attempts', async ({ session, shared, sequence, over }) =>
    createAttempts({ ...session, shared, sequence, over }),
  )
  .extend('people', async ({ sequence }) => sequence.people())
  .extend('control', async ({ sequence }) => sequence.needControls('update'))
  .extend('furtherUpdates', async ({ session, shared, people }) =>
    makeFurtherUpdates({ ...session, shared, people }),
  )
  .extend('borrowed', async ({ session, service, task: { meta } }, { onCleanup }) => {
    const loan = await session.lending.borrow('any', service, 'first')
    onCleanup(async () => {
      const met = refusedShownSince(session.history, loan.task.id, loan.since)
      if (met && meta.outcome?.kind === 'broken') meta.outcome = outcomeOf(carriedOutMeanwhile(met))
      await loan.giveBack()
    })
    return loan
  })
  .extend('alone', async ({ session, service }) => {
    return <T>(act: (loans: [Loan, ...Loan[]]) => Promise<T>) => aloneWith(session, service, act)
  })
  .extend('keyProbes', async ({ session, service, shared, sequence, random }, { onCleanup }) => {
    const probes = openKeyProbes({ ...session, service, shared, sequence, random })
    onCleanup(probes.close)
    return probes
  })

export type Givens = typeof test extends TestAPI<infer Extra> ? Extra & TestContext : never

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
export const travellers = ['people', 'trail', 'arrivals']
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
