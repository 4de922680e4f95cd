import { distinct } from '../engine/distinct.ts'
import { clauseOfFiles as clause } from '../helpers/clause.ts'
import { metadataKeys } from '../helpers/contract/metadata-keys.ts'
import { arrayParameters, fileTypes } from '../helpers/contract/parameters.ts'
import { needExport } from '../helpers/export/ask/exports.ts'
import { type Field, filterBy, isMetadataKey, mergeQueries } from '../helpers/export/ask/query.ts'
import {
  askExact,
  askPartitions,
  describeExact,
  lacksValue,
  problemsOfExact,
} from '../helpers/export/laws/exact.ts'
import {
  type Asked,
  problemsOfEventsShown,
  problemsOfFile,
  problemsOfNumber,
  problemsOfUnzonedTimes,
} from '../helpers/export/laws/file.ts'
import {
  askAcceptance,
  askNarrowing,
  askUnknown,
  describeNotUnderstood,
  findTwos,
  isUnderstood,
  needParameterWithTwo,
  needSeparateValues,
  problemsOfAcceptance,
  problemsOfNarrowing,
  problemsOfOneOfTwo,
  problemsOfStrange,
  problemsOfUnlike,
  understoodEncodings,
} from '../helpers/export/laws/filters.ts'
import { askFiles, byAnyValue, byPlain, byValues } from '../helpers/export/laws/predict.ts'
import { filteredPairs, heldPairs } from '../helpers/export/laws/range-pairs.ts'
import {
  combinedRequests,
  describeFields,
  findOddRequests,
  fullest,
  needEncodedPairs,
  needKeyPairs,
  needParameterPairs,
  needPdfRequests,
  thatCanBeJudged,
} from '../helpers/export/laws/requests.ts'
import { askTwins, problemsOfTwins } from '../helpers/export/laws/same-file.ts'
import { acceptedZones } from '../helpers/export/laws/zones-and-locales.ts'
import { problemsOfHeld } from '../helpers/export/learn/confirmed.ts'
import { spanOf } from '../helpers/export/learn/window.ts'
import { premise } from '../helpers/service/answers.ts'
import { pair } from '../helpers/service/query-lists.ts'

for (const parameter of arrayParameters) {
  declareFilter(parameter, {
    id: `export.filter.${parameter}`,
    narrows: `accept ${parameter}, and return`,
    named: parameter,
    value: parameter,
    reading: 'the four array parameters are encoded alike; 4xx is a response as well',
  })

  clause(`export.filter.${parameter}.several`, {
    must: `return as many events for several values of ${parameter} as for each value alone, added up`,
    reading: 'an array of values asks for events with any of them, written as ARRAY_ENCODING',
    law: problemsOfFile(problemsOfNumber),
    of: 'lists, with as many events as each of their values alone',
  })(['window', 'filters'], async ({ window, filters }) => {
    const values = await needSeparateValues(filters, parameter)
    if (filters.form.declared) return askFiles(filters, [{ values: [values] }], byValues)
    // The contract does not specify the encoding of several values: failing with all of ours is not a breach.
    const [encoding] = await understoodEncodings(parameter, filters, window)
    premise(encoding !== undefined, 'freedom', describeNotUnderstood(values))
    return askFiles(filters, [{ values: [values], encoding }], byValues)
  })
}

clause('export.filter.several-alike', {
  should: 'accept several values of every array parameter in the same encoding',
  reading:
    'the contract does not specify the encoding of arrays; it is the same for all parameters',
  law: problemsOfUnlike,
  of: (all) => `two values return the events of both: ${fieldsOf(all)}`,
})(['window', 'filters'], async ({ window, filters }) => {
  const all = await findTwos(filters, window)
  const lacking =
    'two array parameters with two known values each are needed; one has to accept both values at once'
  premise(all.some(isUnderstood) && all.length > 1, 'data', lacking)
  return all
})

clause('export.filter.several-count', {
  should: 'apply all values of an array parameter in at least one of the usual encodings',
  reading: 'several values are written in one of the eight forms that this suite tries',
  law: problemsOfOneOfTwo,
  of: (all) => `two values return other events than one of them alone: ${fieldsOf(all)}`,
})(['window', 'filters'], async ({ window, filters }) => {
  await needParameterWithTwo(filters)
  return findTwos(filters, window)
})

clause('export.filter.conjunction', {
  should: 'return exactly the events that match every filter when several filters are combined',
  law: problemsOfFile(problemsOfEventsShown),
  of: describeAsked,
})(['filters'], async ({ filters }) =>
  askFiles(filters, await needParameterPairs(filters), byValues),
)

clause('export.filter.partition', {
  should: 'return as many events for each value of a parameter as events have that value',
  law: problemsOfFile(problemsOfNumber),
  none: [
    'freedom',
    'no column is known to contain a parameter: for no parameter do the events of a value match the rows with that value',
  ],
  of: (all) => `by ${distinct(all.map(({ request }) => describeFields(request))).join(', ')}`,
})(['filters'], ({ filters }) => askPartitions(filters))

for (const fileType of fileTypes)
  clause(`export.filter.combined.${fileType}`, {
    should: `return exactly the events that match every filter in a ${fileType.toUpperCase()}, in any time zone, language and range`,
    law: problemsOfFile(problemsOfEventsShown, problemsOfUnzonedTimes),
    of: `${fileType.toUpperCase()}s, of requests that combine every pair of options`,
  })(
    ['settings', 'window', 'pdfIdentity', 'ranges', 'filters'],
    async ({ settings, window, pdfIdentity, ranges, filters }) => {
      const { requests, timeColumn } = await combinedRequests(ranges, filters, settings.seed)
      const identity = fileType === 'pdf' ? pdfIdentity : undefined
      const ofType = requests.filter((one) => one.fileType === fileType)
      const chosen = thatCanBeJudged(ofType, identity, window)
      return askFiles({ ...filters, identity, timeColumn }, chosen, byValues, byPlain)
    },
  )

clause('export.filter.one-bound', {
  should: 'apply the range to a filtered export when only one bound is given',
  law: problemsOfHeld,
  of: 'filtered ranges, with as many events by one bound as by both',
})(['window', 'ranges', 'filters'], async ({ window, ranges, filters }) => {
  const pairs = await filteredPairs(filters, window, await ranges.times())
  return heldPairs(filters.exports, window, pairs)
})

clause('export.filter.pdf', {
  should: 'apply filters to a PDF as to a CSV',
  law: problemsOfFile(problemsOfEventsShown),
  of: describeAsked,
})(['pdfIdentity', 'filters'], async ({ pdfIdentity: identity, filters }) =>
  askFiles({ ...filters, identity }, await needPdfRequests(filters), byValues, byPlain),
)

for (const key of metadataKeys) {
  clause(`export.metadata.${key}.accepted`, {
    must: `accept metadata[${key}] with a value that events have`,
    law: problemsOfAcceptance,
    of: 'values, accepted',
  })(['settings', 'filters'], ({ settings, filters }) => askAcceptance(key, filters, settings))

  declareFilter(key, {
    id: `export.metadata.${key}`,
    narrows: 'return',
    named: `metadata[${key}]`,
    value: `${key} in their metadata`,
    reading: '4xx is a response as well',
  })
}

clause('export.metadata.several-keys', {
  must: 'apply each metadata key when several keys are combined',
  reading: 'several keys ask for events with all of the values or, read generously, with any',
  law: problemsOfFile(problemsOfNumber),
  of: describeAsked,
})(['window', 'filters'], async ({ window, filters }) => {
  const pairs = await needKeyPairs(filters, window)
  return askFiles(filters, pairs, byAnyValue)
})

clause('export.metadata.conjunction', {
  should: 'return exactly the events that match every metadata key when several keys are combined',
  law: problemsOfFile(problemsOfEventsShown),
  of: describeAsked,
})(['window', 'filters'], async ({ window, filters }) => {
  const pairs = await needKeyPairs(filters, window)
  const requests = [...pairs, ...(await findOddRequests(filters))]
  return askFiles(filters, requests, byValues)
})

clause('export.metadata.encoded-brackets', {
  should:
    'treat metadata keys with percent-encoded brackets like metadata keys with plain brackets',
  reading: 'a query says the same with reserved signs percent-encoded, as most clients do',
  law: problemsOfFile(problemsOfEventsShown),
  of: describeAsked,
})(['window', 'filters'], async ({ window, filters }) => {
  const pairs = await needEncodedPairs(filters, window)
  return askFiles(filters, pairs, byValues, byPlain)
})

/** RFC 3986 lets any letter be percent-encoded, and parameters have no order. */
const otherwise: ((pairs: [name: string, value: string][]) => string)[] = [
  (pairs) =>
    pairs
      .map(
        ([name, value]) => `${name}=${Buffer.from(value).toString('hex').replaceAll(/../g, '%$&')}`,
      )
      .join('&'),
  (pairs) =>
    pairs
      .toReversed()
      .map(([name, value]) => pair(name, value))
      .join('&'),
]

clause('export.query-forms', {
  should: 'return the same file for any percent-encoding and order of the query parameters',
  reading:
    'a query says the same with any letter percent-encoded (RFC 3986); parameters have no order',
  since: '0.2',
  law: problemsOfTwins,
  of: 'forms of a query, with the same file',
})(['window', 'filters'], async function* ({ window, filters }) {
  const { exports } = filters
  const values = await fullest(filters)
  const zones = ['Etc/GMT+9', 'Asia/Tokyo'] as const
  const [timezone] = await acceptedZones(exports, spanOf(window), zones)
  const filter = mergeQueries(...values.map(({ field, value }) => filterBy(field, value)))
  const plain = { ...spanOf(window), ...filter, timezone, locale: 'en', fileType: 'csv' }
  needExport(await exports.csv(plain))
  const pairs = [...new URLSearchParams(exports.text(plain))]
  for (const form of otherwise)
    yield askTwins(exports, window, { fileType: null, more: form(pairs) }, plain)
})

function declareFilter(
  field: Field,
  said: { id: string; narrows: string; named: string; value: string; reading: string },
) {
  clause(`${said.id}.narrows`, {
    must: `${said.narrows} no more events with ${said.named} than without it`,
    law: problemsOfNarrowing,
    of: 'files, with no more events than without the filter',
  })(['filters'], ({ filters }) => askNarrowing(field, filters))

  clause(`${said.id}.exact`, {
    should: `return exactly the events that have the requested ${said.value}`,
    law: problemsOfExact,
    of: describeExact,
    lacks: lacksValue,
  })(['settings', 'filters'], ({ settings, filters }) => {
    const declared = isMetadataKey(field) ? settings.metadataValues[field] : undefined
    return askExact(field, filters, declared)
  })

  clause(`${said.id}.unknown-value`, {
    must: `return no events for a value of ${said.named} that no event has`,
    reading: said.reading,
    law: problemsOfStrange,
    of: 'responses to a value that no event has',
  })(['filters'], async ({ filters }) => [await askUnknown(field, filters)])
}

function fieldsOf(all: readonly { field: Field }[]) {
  return all.map(({ field }) => field).join(', ')
}

function describeAsked(all: readonly Asked[]) {
  return `the files for ${all.map(({ request }) => describeFields(request)).join(', ')}`
}
