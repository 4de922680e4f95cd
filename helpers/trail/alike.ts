import { type Case, caseOf, type Unasked } from '../../engine/clause/case.ts'
import { caseOrWhy, type Some } from '../../engine/clause/law.ts'
import { counted } from '../../engine/counted.ts'
import { distinct } from '../../engine/distinct.ts'
import type { CsvReading } from '../../engine/files/csv.ts'
import { instantAt, millisecond, minute, second as oneSecond } from '../../engine/files/dates.ts'
import { nearestText } from '../../engine/files/entry-text.ts'
import { cutTo } from '../../engine/files/shown-instants.ts'
import { cellFinding } from '../../engine/findings/cell.ts'
import { exactly, rowsFinding } from '../../engine/findings/file-rows.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { exchangesOf } from '../../engine/origin.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import { poll } from '../../engine/time/polling.ts'
import { clock } from '../../engine/time/timers.ts'
import { keyOf } from '../contract/metadata-keys.ts'
import { classes } from '../contract/parameters.ts'
import { needCsv } from '../export/ask/exports.ts'
import { eachLater, filterBy } from '../export/ask/query.ts'
import { type Source, valuesIn } from '../export/learn/columns.ts'
import type { Filters } from '../export/learn/filters.ts'
import { lateEvents } from '../findings/not-scripted.ts'
import { type TextFinding, textFinding } from '../findings/text.ts'
import {
  type AcceptedUpdate,
  type AssignmentState,
  type Ledger,
  stepsOf,
} from '../history/accepted-updates.ts'
import { premise } from '../service/answers.ts'
import { ownComment, ownerOfComment } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import type { Settings } from '../settings/table.ts'
import { acceptedOf, type Step } from '../updates/step.ts'
import { commentTaken } from './mails.ts'
import {
  counterOf,
  instantIn,
  isWhole,
  noComments,
  once,
  openCount,
  orders,
  placeOfTask,
  type RecordedDeps,
  settled,
  slackMs,
  type TaskEvents,
} from './recorded.ts'
import type { Trail } from './sequence-events.ts'
import { missingIn, showsWhole, type Trace } from './traces.ts'

type TextTrace = Trace<TextFinding>

type EventFile = Pick<TaskEvents, 'records' | 'exchanges'>

type Commented = AcceptedUpdate & { comment: string }

/** An update that changed nothing may have no event. */
const commentedIn = (ledger: Ledger, tasks: readonly TaskEvents[]): Commented[] =>
  stepsOf(ledger).flatMap(({ update, former }) => {
    const { task, comment, assignment } = update
    const isKept = assignment === null ? former !== null : assignment.assignment_comment === comment
    // Another clause judges a missing event.
    const isCounted = tasks.some((one) => one.task === task && isWhole(one))
    return comment && isKept && isCounted && ownerOfComment(comment) ? [{ ...update, comment }] : []
  })

const mostAsked = 2

function busiestOf(updates: readonly Commented[]): string[] {
  const tasks = [...new Set(updates.map(({ task }) => task))]
  const countOf = (task: string) => updates.filter((update) => update.task === task).length
  return tasks.sort((a, b) => countOf(b) - countOf(a)).slice(0, mostAsked)
}

/**
 * Other events may complete a task's count before its last event has come, so missing comments are looked
 * for again.
 */
export async function askCommented(
  { exports, ledger, lateMs, stop, waiting }: RecordedDeps,
  tasks: readonly TaskEvents[],
  entityOf: (task: string) => Promise<unknown>,
): Promise<TextTrace[]> {
  const { anew, countOf } = await openCount({ exports, ledger })
  const ofTasks = new Map<string, EventFile>(tasks.map((file) => [file.task, file]))
  const ofEntities = new Map<string, EventFile>()
  const commented = commentedIn(ledger, tasks)
  const isIn = (files: typeof ofEntities, { task, comment }: Commented) =>
    (files.get(task)?.records ?? []).some((record) => showsWhole(record, comment))

  const readEntities = async (tasks: ReadonlySet<string>) => {
    for (const task of tasks) {
      const entity = await entityOf(task)
      if (typeof entity !== 'string') continue
      const found = await exports.fresh.csv({ ...anew(), ...filterBy(keyOf.entity, entity) })
      if (!isAccepted(found.answer)) continue
      const { records } = needCsv(found)
      ofEntities.set(task, { records, exchanges: exchangesOf(found) })
    }
  }
  /** If the events of an entity show comments, they show those of every update. */
  const lostNow = () => {
    const doEntitiesShow = commented.some((update) => isIn(ofEntities, update))
    return commented.filter(
      (update) =>
        !isIn(ofEntities, update) &&
        (!isIn(ofTasks, update) || (doEntitiesShow && ofEntities.has(update.task))),
    )
  }
  const suspects = commented.filter((update) => !isIn(ofTasks, update)).map(({ task }) => task)
  await readEntities(new Set([...busiestOf(commented), ...suspects]))
  const lookAgain = async (lost: readonly Commented[]) => {
    const tasks = new Set(lost.map(({ task }) => task))
    for (const task of tasks) ofTasks.set(task, await countOf(task))
    await readEntities(tasks)
  }
  const limits = { limitMs: lateMs, stop, firstMs: 100, waiting }
  const lost = await settled(lostNow, lookAgain, ({ length }) => length === 0, limits)
  premise(lost.length < commented.length, 'freedom', noComments)
  return commented.map((update) => {
    const { task, comment } = update
    const of = isIn(ofTasks, update) ? 'entity' : 'task or entity'
    return {
      isFound: !lost.includes(update),
      finding: textFinding({ in: 'trail', of, task }, comment, {
        although: 'events show other comments of this run',
      }),
      judged: [ofTasks.get(task), ofEntities.get(task)],
      control: update,
    }
  })
}

export const shownInCsv = (steps: readonly Step[], trail: Trail): TextTrace[] =>
  steps.flatMap((step) => {
    const comment = commentTaken(step)
    if (comment === undefined) return []
    const { waitS } = trail
    const place = { in: 'trail', of: 'entity', task: step.before.id, waitS } as const
    return {
      isFound: trail.shows(comment),
      finding: textFinding(place, comment),
      judged: trail.shownBy.events,
      control: acceptedOf(step),
    }
  })

export async function askInPdf(
  steps: readonly Step[],
  trail: Trail,
  askedFor: () => RecordedDeps,
): Promise<(TextTrace | Unasked)[]> {
  const find = async () => {
    const look = (asked: RecordedDeps) => fetchPdf(trail, asked)
    const { pdf, missing } = await once(askedFor(), 'comments of the trail in a PDF', look)
    return steps.flatMap((step): TextTrace[] => {
      const comment = commentTaken(step)
      if (comment === undefined || !trail.shows(comment)) return []
      const got = nearestText(pdf.text ?? [], comment)
      const isFound = !missing.includes(comment)
      const finding = textFinding({ in: 'pdf', isInCsv: true }, comment, got ? { got } : {})
      const control = [trail.shownBy.events, acceptedOf(step)]
      return [{ isFound, finding, judged: pdf, control }]
    })
  }
  return [await caseOrWhy(find())].flat()
}

async function fetchPdf(trail: Trail, { exports, lateMs, stop, waiting }: RecordedDeps) {
  const comments = trail.updates.flatMap((step) => commentTaken(step) ?? []).filter(trail.shows)
  const later = eachLater(trail.query)
  const look = async () => {
    const pdf = await exports.fresh.pdfFile(later())
    return { pdf, missing: missingIn(pdf.text ?? [], comments) }
  }
  // A slow file is as old as its request.
  const limits = { limitMs: lateMs, stop, firstMs: 100, waiting, askLate: true }
  const { pdf, missing } = (await poll(look, ({ missing }) => missing?.length === 0, limits)).last
  if (missing) return { pdf, missing }
  const hidden = 'the PDF of the task shows no comment of this run, or cuts some'
  throw new NotDecidable(
    'freedom',
    `${hidden}; the contract does not say which fields a file contains`,
  )
}

type Place = { what: string; isIn: (cell: string) => boolean; column: number }

type Alike = TaskEvents & { shown: { what: string; events: number }[]; beside: TaskEvents }

/** Waiting longer does not correct a wrong event. */
const longestMs = 10_000

/** At first, other events may be counted instead. */
export async function compareTasks(
  asked: RecordedDeps,
  recorded: readonly TaskEvents[],
  settings: Pick<Settings, 'actorId'>,
): Promise<Alike[]> {
  const named = asked.ledger.updates.map(({ assignment }) => assignment?.assigned_by_id)
  const assigners = [settings.actorId, ...named].filter((id) => typeof id === 'string')
  let current = recorded
  const judge = () => comparedWith(asked, current, assigners)
  const look = async () => {
    current = await (await counterOf(asked))()
  }
  const isSettled = ({ others, isPartlyShown }: ReturnType<typeof judge>) =>
    !isPartlyShown && others.every((one) => problemsOfAlike(one).length === 0)
  // An event of the control task may take as long as its other events did.
  const limitMs = Math.min(judge().isPartlyShown ? asked.lateMs : asked.limitMs, longestMs)
  const { stop, waiting } = asked
  const limits = { limitMs, stop, firstMs: 1000, maxMs: 5000, waiting, askLate: true }
  const { others, isShown } = await settled(judge, look, isSettled, limits)
  const open =
    'events show neither who assigned nor when; the contract does not specify the fields of an event'
  premise(isShown, 'freedom', open)
  return others
}

/** Other writers' events on the control task do not matter. */
function comparedWith(
  { ledger, control }: RecordedDeps,
  tasks: readonly TaskEvents[],
  assigners: readonly string[],
) {
  const lasted = clock.date() - (ledger.updates[0]?.at ?? 0)
  const first = instantAt(tasks[0]?.start ?? '')
  // A file need not show seconds.
  const from = cutTo(first, minute)
  const to = first + BigInt(lasted + 2 * slackMs) * millisecond
  const isOfRun = (instant: bigint | undefined) =>
    instant !== undefined && instant >= from && instant <= to
  const traits: Omit<Place, 'column'>[] = [
    { what: 'the id of the assigner', isIn: (cell) => assigners.some((id) => isSameId(cell, id)) },
    ...orders.map((order) => ({
      what: 'a time of this run',
      isIn: (cell: string) => isOfRun(instantIn(cell, order)),
    })),
  ]
  const countOf = ({ records }: TaskEvents, { column, isIn }: Place) =>
    records.filter((record) => isIn(record[column] ?? '')).length
  const beside = tasks.find(({ task }) => task === control)
  const width = Math.max(0, ...(beside?.records.map(({ length }) => length) ?? []))
  const places = traits.flatMap((trait) =>
    Array.from({ length: width }, (_, column): Place => ({ ...trait, column })),
  )
  const shownBy = places.filter((place) => beside && countOf(beside, place) >= beside.changes)
  const whats = distinct(shownBy.map(({ what }) => what))
  const others = tasks.flatMap((one): Alike[] => {
    // Another clause judges missing events.
    if (!beside || one === beside || !isWhole(one)) return []
    const leastOf = (what: string) =>
      Math.min(...shownBy.flatMap((place) => (place.what === what ? countOf(one, place) : [])))
    return [{ ...one, beside, shown: whats.map((what) => ({ what, events: leastOf(what) })) }]
  })
  const isShown = whats.length > 0
  // The control task has such events, but fewer than changes: more may come.
  const isPartlyShown = !isShown && places.some((place) => beside && countOf(beside, place) > 0)
  return { others, isShown, isPartlyShown }
}

export function problemsOfAlike(alike: Alike): Problem[] {
  const { task, start, changes, shown, beside } = alike
  return shown.flatMap(({ what, events }) => {
    const finding = rowsFinding({
      wrong: 'number',
      place: placeOfTask({ task, start }),
      wanted: { least: changes },
      got: events,
      to: `with ${what} in the columns where events of task ${beside.task} have it`,
    })
    return problemUnless(events >= changes, finding, {
      judged: alike,
      control: beside,
      again: lateEvents,
    })
  })
}

export const describeAlike = (all: Some<Alike>): string => {
  const [{ shown, beside }] = all
  const what = shown.map((each) => each.what).join(' and ')
  return `${counted(all.length, 'task')} whose events show ${what}, beside task ${beside.task}`
}

type MarkedUpdate = {
  update: AcceptedUpdate
  kind: string
  /** with the next transition: an event may also show the comment before its own */
  way: string
  events: CsvReading['records']
  /** those of the file with its events */
  exchanges: readonly number[]
}

/** Such an update, and how many events most updates of its kind leave, such as that of `control`. */
type Usual = MarkedUpdate & { usual: number; control: AcceptedUpdate | undefined }

/** With fewer updates, no number of events is usual. */
const fewestAlike = 3

export function compareUpdates(ledger: Ledger, tasks: readonly TaskEvents[]): Usual[] {
  const marked = needMarked(ledger, tasks)
  const compared = marked.flatMap((one): Usual[] => {
    const alike = marked.filter(({ kind }) => kind === one.kind)
    // Compare only updates with the same next transition: it leaves the same traces.
    const others = alike.filter(({ way, update }) => way === one.way && update !== one.update)
    const usual = usualIn(alike.map(({ events }) => events.length))
    if (usual === undefined || others.length === 0) return []
    return [{ ...one, usual, control: others.find((each) => each.events.length === usual)?.update }]
  })
  const few = `${marked.length} updates with a unique comment, but no three of one kind: let the run make more updates (TASK_IDS, --clauses)`
  premise(compared.length > 0, 'data', few)
  return compared
}

export const caseOfUsual = (usual: Usual): Case<Usual> =>
  caseOf(usual, { judged: [usual.update, usual], control: usual.control })

export function problemsOfUsual(marked: Usual): Problem[] {
  const { update, kind, events, usual, control } = marked
  const finding = rowsFinding({
    wrong: 'number',
    place: placeOfTask(update),
    wanted: { most: usual },
    got: events.length,
    what: `the comment ${shown(update.comment)}`,
    to: `as for most other updates ${kind}`,
  })
  const again = { why: 'other updates of the kind have to be compared with it' }
  const isUsual = events.length <= usual || !control
  return problemUnless(isUsual, finding, { judged: [update, marked], control, again })
}

function usualIn(counts: readonly number[]): number | undefined {
  if (counts.length < fewestAlike) return undefined
  return counts.find((one) => counts.filter((other) => other === one).length * 2 > counts.length)
}

function needMarked({ before, updates }: Ledger, tasks: readonly TaskEvents[]): MarkedUpdate[] {
  const marked = stepsOf({ before, updates }).flatMap(({ update, former, next }) => {
    const { comment, task, assignment } = update
    // An update that was sent twice leaves events of both.
    const isOne = updates.filter((other) => other.comment === comment).length === 1
    if (!comment || !ownComment.test(comment) || !isOne) return []
    const file = tasks.find((one) => one.task === task)
    const events = file?.records.filter((record) => showsWhole(record, comment)) ?? []
    const kind = describeStep(former, assignment)
    const after = next ? describeStep(assignment, next.assignment) : 'nothing'
    const way = `${kind}, before ${after}`
    return file && events.length > 0
      ? [{ update, kind, way, events, exchanges: file.exchanges }]
      : []
  })
  premise(marked.length > 0, 'freedom', noComments)
  return marked
}

function describeStep(former: AssignmentState | undefined, given: AssignmentState): string {
  const isSame = given && former && isSameId(former.assigned_to_id, given.assigned_to_id)
  const to = isSame ? 'the same' : (given?.assigned_to_type ?? 'nobody')
  return `from ${former?.assigned_to_type ?? 'nobody'} to ${to}`
}

async function classColumns({ column }: Filters): Promise<Source[]> {
  const sources: Source[] = []
  for (const field of classes) sources.push(...[(await column(field)) ?? []].flat())
  return sources
}

/** Of how many updates no event has a value in the column of one field. */
type Classified = { field: string; column: string | number; bare: number; of: number }

export async function askClasses(
  filters: Filters,
  ledger: Ledger,
  tasks: readonly TaskEvents[],
): Promise<Case<Classified>[]> {
  const marked = needMarked(ledger, tasks)
  const { header, rows } = filters.window
  const sources = await classColumns(filters)
  const unknown = 'no column is known to contain the type, subtype or source of events'
  premise(sources.length > 0, 'freedom', unknown)
  return sources.map(({ field, column, form }) => {
    const hasValue = (cells: readonly string[]) =>
      valuesIn(cells[column] ?? '', field, form).length > 0
    const bare = marked.filter(({ events }) => !events.some(hasValue))
    const title = header?.[column] ?? column + 1
    const classified = { field, column: title, bare: bare.length, of: marked.length }
    return caseOf(classified, { judged: bare.length > 0 ? bare : marked, control: rows })
  })
}

export function problemsOfClassified(classified: Classified): Problem[] {
  const { field, column, bare, of } = classified
  const what = `the events of ${bare} of ${of} updates`
  const to = 'by which that filter selects other events'
  const facts = { place: { in: 'trail' }, column, what, to } as const
  const finding = cellFinding(facts, { wrong: 'empty', wanted: field })
  return problemUnless(bare === 0, finding, { again: lateEvents })
}

type Together = { marked: MarkedUpdate[] }

export async function askTwins(
  filters: Filters,
  ledger: Ledger,
  tasks: readonly TaskEvents[],
): Promise<[Case<Together>]> {
  const marked = needMarked(ledger, tasks)
  const isKindShown = (await classColumns(filters)).length === classes.length
  const unknown = `columns of ${classes.join(', ')} are not all known, and two events of an update may be of different kinds`
  premise(isKindShown, 'freedom', unknown)
  return [caseOf({ marked }, { judged: marked })]
}

/** Of most updates there are two events that differ in nothing but ids and, by less than a second, times. */
export function problemsOfTwins({ marked }: Together): Problem[] {
  const all = marked.flatMap(({ events }) => events)
  const isOwn = (at: number) =>
    all.every((cells) => isToken(cells[at] ?? '')) &&
    distinct(all.map((cells) => cells[at] ?? '')).length === all.length
  const areTwins = (one: readonly string[], other: readonly string[]) =>
    one.every((cell, at) => {
      const [first, second = ''] = [cell, other[at]]
      return first === second || areAtOnce(first, second) || (isOwn(at) && !isTime(first))
    })
  const repeated = marked.flatMap(({ update, events, exchanges }) => {
    const isRepeated = (event: readonly string[], at: number) =>
      events.slice(at + 1).some((other) => areTwins(event, other))
    const count = events.filter(isRepeated).length
    return count > 0 ? [{ update, events, exchanges, count }] : []
  })
  if (repeated.length < fewestAlike || repeated.length * 2 <= marked.length) return []
  return repeated.slice(0, 3).map(({ update, events, exchanges, count }) => {
    const finding = rowsFinding({
      wrong: 'repeated',
      place: placeOfTask(update),
      wanted: exactly(events.length - count),
      got: events.length,
      count,
      what: `the update with the comment ${shown(update.comment)}`,
      to: `with other ids and times of the same second; so it does for ${repeated.length - 1} other updates of ${marked.length}`,
    })
    return problem(finding, { judged: { exchanges }, control: update, again: lateEvents })
  })
}

const isToken = (cell: string) => /^[^\s]*\d[^\s]*$/.test(cell)

const isTime = (cell: string) => orders.some((order) => instantIn(cell, order) !== undefined)

const areAtOnce = (one: string, other: string) =>
  orders.some((order) => {
    const [first, second] = [instantIn(one, order), instantIn(other, order)]
    if (first === undefined || second === undefined) return false
    return (first < second ? second - first : first - second) < oneSecond
  })
