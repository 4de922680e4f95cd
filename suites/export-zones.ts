import { caseOrWhy, inTurn } from '../engine/clause/law.ts'
import { counted } from '../engine/counted.ts'
import { distinct } from '../engine/distinct.ts'
import {
  dateIn,
  day,
  hour,
  isoOf,
  minute,
  offsetAt,
  readingsOf,
  second,
  unitOf,
} from '../engine/files/dates.ts'
import { columnsOf } from '../engine/files/multiset.ts'
import { cellFinding } from '../engine/findings/cell.ts'
import { NotDecidable, type Why } from '../engine/outcome.ts'
import { type Problem, problem } from '../engine/problem.ts'
import { clauseOfFiles as clause } from '../helpers/clause.ts'
import type { Query, Span } from '../helpers/export/ask/query.ts'
import {
  type Asked,
  describeRequest,
  problemsOfEventsShown,
  problemsOfFile,
  problemsOfIds,
  type Request,
} from '../helpers/export/laws/file.ts'
import {
  askPdfTimes,
  needEntriesAsRows,
  problemsOfZoned,
  type Zoned,
} from '../helpers/export/laws/pdf-entries.ts'
import { askFiles, byTwin, byValues } from '../helpers/export/laws/predict.ts'
import {
  acceptedLanguages,
  acceptedZones,
  heldZones,
  needZonesApart,
  needZonesWithEffect,
  noLanguage,
  noZone,
  placesOfEvents,
  problemsOfZoneBounds,
  zonesFarApart,
} from '../helpers/export/laws/zones-and-locales.ts'
import {
  ask,
  type Dialogue,
  foundIn,
  type Held,
  held,
  lacksPart,
  problemsOfHeld,
} from '../helpers/export/learn/confirmed.ts'
import { noOtherSeason, type Ranges, unlessUndecided } from '../helpers/export/learn/ranges.ts'
import {
  acceptedUtc,
  dateColumns,
  inZones,
  problemsByAllColumns,
  sorted,
  straysAmong,
  type TimeColumn,
  type Times,
} from '../helpers/export/learn/time-column.ts'
import { rowsLike, spanOf, type Window } from '../helpers/export/learn/window.ts'
import { premise } from '../helpers/service/answers.ts'

function problemsOfOffsets(
  zone: string,
  { textIn, timeIn, isNumber, unit }: TimeColumn,
  { inUtc, inZone }: { inUtc: string[][]; inZone: string[][] },
): Problem[] {
  const other = `${counted(inZone.length, 'event')} in ${zone}, but ${inUtc.length} in UTC`
  const owners = ['export.timezone.same-events', 'export.timezone.filter-unmoved'] as const
  premise(inUtc.length === inZone.length, 'clause', other, ...owners)
  const readings = readingsOf(inZone.map(textIn))
  const instants = inUtc.flatMap((row) => timeIn(row) ?? [])
  premise(
    readings.length > 0 && instants.length === inUtc.length,
    'freedom',
    `the times of the file in ${zone} cannot be read; the contract does not specify the format of dates`,
  )
  const clocks = sorted(instants.map((instant) => instant + offsetAt(zone, instant)))
  // Fractions of a day are rounded differently in each zone.
  const slack = isNumber ? unit : 0n
  const facts = { place: { in: 'csv', others: { timezone: zone } } } as const
  const grounds = { judged: inZone, control: inUtc }
  const found = readings.map(({ dates }): Problem[] => {
    const walls = sorted(dates.map(({ wall }) => wall))
    const isApart = (one = 0n, other = 0n) => (one - other) ** 2n > slack ** 2n
    const at = clocks.findIndex((clock, n) => isApart(clock, walls[n]))
    // One time that is wrong moves others in the order.
    const loneIn = (all: bigint[], others: bigint[]) =>
      all.find((time) => others.every((each) => isApart(each, time)))
    if (at !== -1) {
      const wrongTime = loneIn(walls, clocks)
      const wrongAt = dates.findIndex(({ wall }) => wall === wrongTime)
      const wrongRow = inZone[wrongAt]
      const wrongText = wrongRow && !isNumber ? { wrongText: textIn(wrongRow) } : {}
      const finding = cellFinding(
        { ...facts, ...wrongText },
        {
          wrong: 'value',
          wanted: clockOf(loneIn(clocks, walls) ?? clocks[at]),
          got: clockOf(wrongTime ?? walls[at]),
          like: 'the CSV in UTC has it',
        },
      )
      return [problem(finding, grounds)]
    }
    const strange = dates.findIndex(({ wall, offset }) => {
      const shown = BigInt(offset ?? 0) * minute
      return offset !== undefined && offsetAt(zone, wall - shown) !== shown
    })
    if (strange === -1) return []
    const got = textIn(inZone[strange] ?? [])
    const finding = cellFinding({ ...facts, wrongText: got }, { wrong: 'offset', zone, got })
    return [problem(finding, grounds)]
  })
  return found.find((problems) => problems.length === 0) ?? found[0] ?? []
}

/**
 * Events before and after a change of the offset in the window: one offset for a whole day, or for
 * all days, is wrong there.
 */
function stretchesOf(
  zone: string,
  { columns: [{ times, unit }] }: Times,
  spans: readonly Span[],
): readonly Span[] {
  const runs = new Map<bigint, Span>()
  for (const time of sorted(times)) {
    const offset = offsetAt(zone, time)
    const { start } = runs.get(offset) ?? { start: isoOf(time) }
    runs.set(offset, { start, end: isoOf(time + unit) })
  }
  return runs.size > 1 ? [...runs.values()] : spans
}

function* problemsIn(
  stretches: readonly { zone: string; span: Span }[],
  window: Window,
  times: Times,
): Dialogue<Problem[]> {
  for (const { zone, span } of stretches) {
    const rowsOf = (query: Query) =>
      ask(async ({ fetch }) => rowsLike(window, await fetch({ ...span, ...query })))
    const [inUtc, inZone] = [yield* rowsOf(times.utc), yield* rowsOf({ timezone: zone })]
    // biome-ignore lint/correctness/useYield: all columns are judged by the same files
    const found = yield* problemsByAllColumns(times, function* problemsBy(column): Dialogue<
      Problem[]
    > {
      const problems = problemsOfOffsets(zone, column, { inUtc, inZone })
      premise(
        problems.length === 0 || straysAmong(column, inUtc, span).length === 0,
        'freedom',
        'the times in the file differ from those that ranges use; the contract does not specify the fields of an event',
      )
      return problems
    })
    if (found.length > 0) return found
  }
  return []
}

const clockOf = (wall = 0n) => isoOf(wall).slice(0, 19)

type Clocks = { problems: Problem[]; shown?: string | undefined }

/**
 * Judges every column of times: each time exists, and if no hour after twelve is shown, mornings differ
 * from afternoons.
 */
function* judgeClocks(query: Query): Dialogue<Clocks> {
  const rows = yield* ask(({ fetch }) => fetch(query))
  const problems = problemsOfUnreal(rows, query)
  let shown: string | undefined
  for (const column of dateColumns(rows)) {
    if (column.isNumber || column.unit >= day) continue
    const found = yield* judgeHalves(query, column, rows)
    problems.push(...found.problems)
    shown ??= found.shown
  }
  return { problems, shown }
}

function problemsOfClocks(one: Held<Clocks>): readonly Problem[] {
  const { problems, shown } = foundIn(one)
  const unread =
    'no column of the file shows times of day that can be read; the contract does not specify the fields of an event'
  premise(problems.length > 0 || shown !== undefined, 'freedom', unread)
  return problems
}

/** Letters of a pattern for dates, as another library writes them, that were not replaced. */
const unreplaced = /YYYY|yyyy|MM|DD|dd|HH|hh|mm|ss|SSS|%[a-zA-Z]/g
const numbersAlone = /^[\d\s./:,+TZ-]+(?:[ap]\.?m\.?)?$/i
const behindClock = /(?<=:\d\d)(?:[.,]\d+)?\s*(?:Z|[+\u2212-]\d\d(?::?\d\d)?)?$/i

/** The numbers of a text that is written as a date of these years with a clock is, but for the year. */
function fieldsIn(text: string, years: readonly string[]): number[] | undefined {
  const plain = text.replaceAll(unreplaced, '99').replace(behindClock, '')
  const groups: string[] =
    (numbersAlone.test(plain) && plain.includes(':') && plain.match(/\d+/g)) || []
  const year = years.find((each) => groups.includes(each))
  return year ? groups.toSpliced(groups.indexOf(year), 1).map(Number) : undefined
}

/**
 * The most of each number: of month and day, of the day of a year, of week and weekday, each beside a clock.
 * Timetables count night hours up to 29.
 */
const forms = [
  { date: [12, 31], clock: [29, 59] },
  { date: [12, 31], clock: [29, 59, 60] },
  { date: [366], clock: [29, 59, 60] },
  { date: [53, 7], clock: [29, 59, 60] },
].map(({ date, clock }) => [
  ...date.map((most) => ({ least: 1, most })),
  ...clock.map((most) => ({ least: 0, most })),
])

/** Whether numbers make a time in any order. */
const isTime = (numbers: readonly number[], [field, ...others]: (typeof forms)[number]): boolean =>
  !field ||
  numbers.some(
    (one, at) =>
      field.least <= one && one <= field.most && isTime(numbers.toSpliced(at, 1), others),
  )

/** Some may be placeholders. */
const minUnreal = 3

function problemsOfUnreal(rows: string[][], { start = '', end = '' }: Query): Problem[] {
  const whole = distinct([start.slice(0, 4), end.slice(0, 4)])
  const years = [...whole, ...whole.map((year) => year.slice(2))]
  return columnsOf(rows).flatMap((column) => {
    const texts = rows.flatMap((row) => row[column] || [])
    const times = texts.flatMap((text) => {
      const fields = fieldsIn(text, years) ?? []
      const alike = forms.filter(({ length }) => length === fields.length)
      return alike.length > 0 ? { text, isReal: alike.some((form) => isTime(fields, form)) } : []
    })
    const unreal = distinct(times.flatMap(({ text, isReal }) => (isReal ? [] : text)))
    if (times.length < 0.9 * texts.length || unreal.length < minUnreal) return []
    const got = unreal.slice(0, minUnreal)
    const finding = cellFinding(
      { place: { in: 'csv' }, column: column + 1 },
      { wrong: 'unreal', got },
    )
    return problem(finding, { judged: rows })
  })
}

const maxTries = 12
const minEach = 2

/**
 * Looks for events at the shown times and twelve hours later: events at both are a breach, because
 * no zone is at both.
 */
function* judgeHalves(
  query: Query,
  { textIn, times, unit, order }: TimeColumn,
  rows: string[][],
): Dialogue<Clocks> {
  const hours = rows.map((row) => ((dateIn(textIn(row), order)?.wall ?? 0n) % day) / hour)
  if (hours.some((shown) => shown > 12n)) return { problems: [], shown: textIn(rows[0] ?? []) }
  if (unit > minute) return { problems: [] }
  const reach = unit > second ? unit : second
  const places = [...rows.keys()].filter((at) => (hours[at] ?? 0n) % 12n !== 0n)
  const halves = [0n, 12n * hour].map((later) => ({
    later,
    found: [] as { rows: string[][]; clock: { at: string; got: string } }[],
  }))
  for (const at of places.filter((_, n) => n % Math.ceil(places.length / maxTries) === 0)) {
    const [time = 0n, text] = [times[at], textIn(rows[at] ?? [])]
    for (const { later, found } of halves) {
      const instant = time + later
      const span = { start: isoOf(instant - reach), end: isoOf(instant + reach) }
      const around = yield* ask(({ fetch }) => fetch({ ...query, ...span }))
      if (!around.some((row) => textIn(row) === text)) continue
      found.push({ rows: around, clock: { at: isoOf(instant).slice(11, 16), got: text } })
      break
    }
    const [morning, afternoon] = halves.map(({ found }) => found[minEach - 1])
    if (!morning || !afternoon) continue
    const finding = cellFinding(
      { place: { in: 'csv' } },
      { wrong: 'halves', morning: morning.clock, afternoon: afternoon.clock },
    )
    return { problems: [problem(finding, { judged: afternoon.rows, control: morning.rows })] }
  }
  return { problems: [], shown: halves.flatMap(({ found }) => found)[0]?.clock.got }
}

clause('export.timezone.formats', {
  must: 'accept time zones, and write different dates in different time zones',
  law: problemsOfHeld,
  of: () => 'files in two time zones differ',
})(['ranges'], async ({ ranges }) => {
  const span = await ranges.few()
  // Every service accepts the default language, and writes it like a file without locale.
  const [locale = 'en'] = await acceptedLanguages(ranges.exports, span, 1)
  return inTurn([span, { ...span, locale }], (query) => heldZones(ranges, query))
})

clause('export.timezone.offset', {
  should:
    'write each time in a CSV with the offset of the time zone on that date, in summer and winter',
  law: problemsOfHeld,
  of: () => 'times in time zones, in summer and in winter',
})(['ranges'], async function* ({ ranges }) {
  const { exports } = ranges
  const [window, times] = [await ranges.window(), inZones(await ranges.times())]
  const inNone =
    'the times of the file have no time zone; the contract does not specify the fields of an event'
  if (!times.columns.every(({ inUtc }) => inUtc)) throw new NotDecidable('freedom', inNone)
  const { spans, isBoth, date } = await ranges.seasons()
  const zones = await needZonesWithEffect(exports, window, spans[0])
  const stretches = zones.flatMap((zone) =>
    stretchesOf(zone, times, spans).map((span) => ({ zone, span })),
  )
  yield held(exports, window, () => problemsIn(stretches, window, times))
  premise(
    isBoth,
    'data',
    `${zones.join(', ')} have the right offset around ${date}, but ${noOtherSeason}`,
  )
})

clause('export.timezone.readable', {
  should: 'write unambiguous times that exist and distinguish morning from afternoon',
  reading: 'a formatted date names one time: no month above 12, and am or pm where hours end at 12',
  law: problemsOfClocks,
  of: ([one]) => `read as a time: ${foundIn(one).shown}`,
})(['ranges'], async ({ ranges }) => {
  const { exports } = ranges
  const window = await ranges.window()
  const query = { ...spanOf(window), ...(await acceptedUtc(exports, window)) }
  return [await held(exports, window, () => judgeClocks(query))]
})

const sameEvents = (lacking: string) => ({
  law: problemsOfFile(problemsOfIds),
  none: ['freedom', lacking] as Why,
  of: (all: readonly Asked[]) =>
    `the same events: ${all.map(({ request }) => describeRequest(request)).join(' and ')}`,
})
async function askShown(ranges: Ranges, name: 'timezone' | 'locale', shown: readonly string[]) {
  const files = { exports: ranges.exports, window: await ranges.window() }
  const requests = shown.map((each): Request => ({ values: [], [name]: each }))
  return askFiles(files, requests, byValues)
}

clause('export.timezone.same-events', {
  should: 'include the same events in every time zone',
  ...sameEvents(noZone),
})(['ranges'], async ({ ranges }) => {
  const span = spanOf(await ranges.window())
  const zones = await acceptedZones(ranges.exports, span, zonesFarApart)
  return askShown(ranges, 'timezone', zones)
})

clause('export.timezone.filter-unmoved', {
  must: 'interpret range_start and range_end in UTC for every time zone',
  reading: 'timezone formats dates and does nothing else; bounds that end in Z stay in UTC',
  law: problemsOfHeld,
  of: () => 'short windows contain the same events in every time zone as in UTC',
})(['ranges'], async ({ ranges }) => {
  const { exports } = ranges
  const [window, span] = [await ranges.window(), await ranges.few()]
  const zones = await needZonesApart(exports, window, span)
  const utc = (await ranges.times().catch(unlessUndecided))?.utc ?? {}
  const places = await placesOfEvents(ranges, window)
  return [await held(exports, window, () => problemsOfZoneBounds({ window, utc, places, zones }))]
})

clause('export.timezone.pdf', {
  should: 'write a PDF in the requested time zone, with the same events as the CSV',
  law: (one: Zoned | Asked) =>
    'timezone' in one ? problemsOfZoned(one) : problemsOfFile(problemsOfEventsShown)(one),
  of: () => 'the times and the events of the CSV',
  lacks: lacksPart,
})(['pdfIdentity', 'ranges'], async function* ({ pdfIdentity: identity, ranges }) {
  const { exports } = ranges
  const window = await ranges.window()
  const [timezone = ''] = await needZonesApart(exports, window, await ranges.few())
  // A file of several pages: all pages have to use one zone.
  yield caseOrWhy(askPdfTimes(ranges, { ...spanOf(window), timezone }))
  await needEntriesAsRows(exports, window)
  const pdf = { values: [], fileType: 'pdf', timezone } as const
  yield* await askFiles({ exports, window, identity }, [pdf], byTwin)
})

/** Years of other calendars differ by more. */
const otherCalendar = 1000n * day

/**
 * Times of a file in a language that are other instants than in the file without locale, to the minute. If
 * the text has no offset, the zone of a language may differ. Undefined if they cannot be read.
 */
function problemsOfInstants(
  locale: string,
  { textIn, times, unit }: TimeColumn,
  rows: string[][],
  plain: string[][],
): Problem[] | undefined {
  const texts = rows.map(textIn)
  const problemOf = (got: string, wanted: string) => {
    const finding = cellFinding(
      { place: { in: 'csv', others: { locale } } },
      { wrong: 'value', wanted, got, like: 'the CSV without a locale has it' },
    )
    return problem(finding, { judged: rows, control: plain })
  }
  // Equal texts are equal times; in other texts no language but English writes the month before the day.
  if (`${texts.toSorted()}` === `${plain.map(textIn).toSorted()}`) return []
  const readings = readingsOf(texts).filter(({ order }) => order !== 'mdy')
  const wanted = sorted(times)
  const found = readings.map(({ dates }) => {
    const shown = sorted(dates.map(({ wall, offset = 0 }) => wall - BigInt(offset) * minute))
    const step = [unit, minute, unitOf(shown)].reduce((one, other) => (one > other ? one : other))
    const cut = (time = 0n) => time - (time % step)
    const apart = cut(shown[0]) - cut(wanted[0])
    if (apart > otherCalendar || apart < -otherCalendar) return undefined
    const isUntold = dates.every(({ offset }) => offset === undefined)
    const isZone = isUntold && apart % (15n * minute) === 0n && apart < day && apart > -day
    const at = shown.findIndex((time, n) => cut(time) !== cut(wanted[n]) + (isZone ? apart : 0n))
    const differs = shown.findIndex((time, n) => cut(time) !== cut(wanted[n]))
    return at === -1 ? [] : [problemOf(isoOf(shown[differs] ?? 0n), isoOf(wanted[differs] ?? 0n))]
  })
  if (found.length > 0) return found.find((each) => each?.length === 0) ?? found[0]
  const years = distinct(times.map((time) => isoOf(time).slice(0, 4)))
  const isOfYears = (text: string) => years.some((year) => text.includes(year))
  return texts.every((text) => numbersAlone.test(text) && isOfYears(text))
    ? [problemOf(texts[0] ?? '', textIn(plain[0] ?? []))]
    : undefined
}

function* problemsOfLanguage(
  locale: string,
  window: Window,
  fitsRanges: (column: TimeColumn) => boolean,
): Dialogue<Problem[]> {
  const rowsOf = (query: Query) =>
    ask(async ({ fetch }) => rowsLike(window, await fetch({ ...spanOf(window), ...query })))
  const [plain, rows] = [yield* rowsOf({}), yield* rowsOf({ locale })]
  const columns = dateColumns(rows.length === plain.length ? plain : []).filter(fitsRanges)
  // The order of day and month may be unclear.
  const places = distinct(columns.map(({ place }) => place))
  const read = places.flatMap((at) => {
    const alike = columns.filter(({ place }) => place === at)
    const found = alike.flatMap((column) => {
      const problems = problemsOfInstants(locale, column, rows, plain)
      return problems ? [problems] : []
    })
    return found.length > 0
      ? [found.find((problems) => problems.length === 0) ?? found[0] ?? []]
      : []
  })
  const unread = `no time can be read in ${locale}; the contract does not specify the form of dates`
  premise(read.length > 0, 'freedom', unread)
  return read.flat()
}

clause('export.locale.same-times', {
  should: 'write the same times, to the minute, in every language',
  reading: 'as far as dates are written in numbers, or in English',
  since: '0.2',
  law: problemsOfHeld,
  none: ['freedom', noLanguage],
  of: 'languages, with the same times',
})(['ranges'], async ({ ranges }) => {
  const { exports } = ranges
  const window = await ranges.window()
  const known = (await ranges.times().catch(unlessUndecided))?.columns ?? []
  /** Ranges decide between month and day where the texts do not. */
  const fitsRanges = ({ place, order }: TimeColumn) => {
    const same = known.filter((column) => column.place === place)
    return same.length === 0 || same.some((column) => column.order === order)
  }
  const locales = await acceptedLanguages(exports, await ranges.few(), 3)
  return inTurn(locales, (locale) =>
    held(exports, window, () => problemsOfLanguage(locale, window, fitsRanges)),
  )
})

clause('export.locale.same-events', {
  should: 'include the same events in every language',
  ...sameEvents(noLanguage),
})(['ranges'], async ({ ranges }) => {
  const locales = await acceptedLanguages(ranges.exports, await ranges.few(), 3)
  return askShown(ranges, 'locale', locales)
})
