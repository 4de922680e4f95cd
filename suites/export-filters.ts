import { expect } from '../engine/clause/matchers.ts'
import { distinct } from '../engine/distinct.ts'
import { sizeOf } from '../engine/files/multiset.ts'
import { problemsOfStatus } from '../engine/http/status.ts'
import { NotDecidable } from '../engine/outcome.ts'
import { clausesOf } from '../helpers/clause.ts'
import { needDecidable } from '../helpers/export/ask/decidable.ts'
import { needExport } from '../helpers/export/ask/exports.ts'
import {
  type Field,
  filterBy,
  isMetadataKey,
  mergeQueries,
  parameters,
} from '../helpers/export/ask/query.ts'
import {
  describeBasis,
  learnedColumns,
  problemsOfAllValues,
  problemsOfMixedUpFields,
  problemsOfNoEvent,
  problemsOfPartialMatch,
  problemsOfValue,
  valuesToAsk,
} from '../helpers/export/laws/exact.ts'
import {
  judgeAcceptance,
  problemsOfNarrowing,
  problemsOfOtherKeys,
  problemsOfUnknownValue,
} from '../helpers/export/laws/filters.ts'
import { judgeCount, judgeRequest, type Request } from '../helpers/export/laws/oracle.ts'
import { filteredPairs, problemsOfPairs } from '../helpers/export/laws/range-pairs.ts'
import {
  combinedRequests,
  describeFields,
  findOddRequests,
  fullest,
  needEncodedPairs,
  needKeyPairs,
  needParameterPairs,
  needPdfRequests,
  smallestProblems,
  thatCanBeJudged,
} from '../helpers/export/laws/requests.ts'
import { problemsOfDifference } from '../helpers/export/laws/same-file.ts'
import {
  describeNotUnderstood,
  findTwos,
  isUnderstood,
  needParameterWithTwo,
  needSeparateValues,
  problemsOfOneOfTwo,
  problemsOfUnlike,
  understoodEncodings,
} from '../helpers/export/laws/several.ts'
import { acceptedValues } from '../helpers/export/laws/zones-and-locales.ts'
import { spanOf } from '../helpers/export/learn/window.ts'
import { premise } from '../helpers/service/answers.ts'
import { metadataKeys, pair } from '../helpers/service/operations.ts'

const clause = clausesOf({ section: 'Export audit events', operation: 'export' })

for (const parameter of parameters) {
  declareFilter(parameter, {
    id: `export.filter.${parameter}`,
    narrows: `accept ${parameter}, and return`,
    named: parameter,
    value: parameter,
    reading: 'the four array parameters are encoded alike; 4xx is an answer as well',
  })

  clause(`export.filter.${parameter}.several`, {
    must: `return the events of every requested value of ${parameter}`,
    reading: 'an array of values asks for events with any of them, written as ARRAY_ENCODING',
  })(async ({ filters, window, note }) => {
    const values = await needSeparateValues(filters, parameter)
    if (filters.form.declared) {
      expect(await judgeCount({ values: [values] }, { filters, window })).toBeNone()
      note(`${values.length} values, as many events as each of them alone`)
      return
    }
    // The encoding of several values is not shown: failing with all of ours is not a breach.
    const understood = await understoodEncodings(parameter, filters, window)
    premise(understood.length > 0, 'freedom', describeNotUnderstood(values))
    // An encoding that works for two values works for three.
    if (values.length > 2) {
      const how = { encoding: understood[0] }
      expect(await judgeCount({ values: [values] }, { filters, window }, how)).toBeNone()
    }
    note(`several values give the events of each, written as ${understood.join(', ')}`)
  })
}

clause('export.filter.several-alike', {
  should: 'accept several values of every array parameter in the same encoding',
  reading: 'how arrays are written is not shown, and is one way for all parameters',
})(async ({ filters, window, each }) => {
  const all = await findTwos(filters, window)
  premise(
    all.some(isUnderstood) && all.length > 1,
    'data',
    'two array parameters with two known values each are needed; one has to accept both values at once',
  )
  await each(all, (two) => problemsOfUnlike(two, all), {
    of: (judged) =>
      `two values give the events of both: ${judged.map(({ field }) => field).join(', ')}`,
  })
})

clause('export.filter.several-count', {
  should: 'apply all values of an array parameter in at least one of the usual encodings',
  reading: 'several values are written in one of the forms that ARRAY_ENCODING names',
})(async ({ filters, window, each }) => {
  await needParameterWithTwo(filters)
  const all = await findTwos(filters, window)
  await each(all, (two) => problemsOfOneOfTwo(two, all, filters), {
    of: (twos) =>
      `two values do not give the events of one of them alone: ${twos.map(({ field }) => field).join(', ')}`,
  })
})

clause('export.filter.conjunction', {
  should: 'return exactly the events that match every filter when several filters are combined',
})(async ({ filters, window, each }) => {
  const pairs = await needParameterPairs(filters)
  await each(pairs, (pair) => judgeRequest(pair, { filters, window }), { of: ofPairs })
})

clause('export.filter.partition', {
  should: 'return every event with a value of a parameter in the export for that value',
})(async ({ filters, window, each }) => {
  if (!filters.form.settled) throw new NotDecidable(...(await filters.why(...parameters)))
  const sources = await learnedColumns(filters)
  await each(sources, (source) => problemsOfAllValues(source, filters, window), {
    none: [
      'freedom',
      'no column is known to show a parameter: for none do the events of a value and the rows that show it agree',
    ],
    of: (all) => `by ${all.map(({ field }) => field).join(', ')}`,
  })
})

for (const fileType of ['csv', 'pdf'] as const)
  clause(`export.filter.combined.${fileType}`, {
    should: `return exactly the events that match every filter in a ${fileType.toUpperCase()}, in any time zone, language and range`,
  })(async ({ ranges, filters, window, settings, pdfIdentity, each }) => {
    const { requests, column } = await combinedRequests(ranges, filters, settings.seed)
    const identity = fileType === 'pdf' ? pdfIdentity : undefined
    const ofType = requests.filter((one) => one.fileType === fileType)
    const chosen = thatCanBeJudged(ofType, identity, window)
    const judge = (one: Request) => judgeRequest(one, { filters, window, identity, column })
    await each(chosen, (one) => smallestProblems(one, judge), {
      of: `of ${requests.length} requests in which every two forms meet`,
    })
  })

clause('export.filter.one-bound', {
  should: 'apply the range to a filtered export when only one bound is given',
})(async ({ ranges, filters, window, note }) => {
  const times = await ranges.times()
  const { pairs, described } = await filteredPairs(filters, window, times)
  expect(await problemsOfPairs(filters.exports, window, pairs)).toBeNone()
  note(`${described}, with one bound and with both`)
})

clause('export.filter.pdf', {
  should: 'apply filters to a PDF as to a CSV',
})(async ({ filters, window, pdfIdentity, each }) => {
  const requests = await needPdfRequests(filters)
  const judge = (one: Request) => judgeRequest(one, { filters, window, identity: pdfIdentity })
  await each(requests, (one) => smallestProblems(one, judge), {
    of: (all) =>
      `by ${distinct(all.flatMap(({ values }) => values.flat().map(({ field }) => field))).join(', ')}`,
  })
})

for (const key of metadataKeys) {
  clause(`export.metadata.${key}.accepted`, {
    must: `accept metadata[${key}] with a value that events have`,
  })(async ({ filters, window, settings, note }) => {
    const { problems, witness } = await judgeAcceptance(key, { filters, window, settings })
    expect(problems).toBeNone()
    note(witness)
  })

  declareFilter(key, {
    id: `export.metadata.${key}`,
    narrows: 'return',
    named: `metadata[${key}]`,
    value: `${key} in their metadata`,
    reading: '4xx is an answer as well',
  })
}

clause('export.metadata.several-keys', {
  must: 'apply each metadata key when several keys are combined',
  reading: 'several keys ask for events with all of the values or, read generously, with any',
})(async ({ filters, window, each }) => {
  const pairs = await needKeyPairs(filters, window)
  const judge = (pair: Request) => judgeCount(pair, { filters, window }, { orAny: true })
  await each(pairs, judge, { of: ofPairs })
})

clause('export.metadata.conjunction', {
  should: 'return exactly the events that match every metadata key when several keys are combined',
})(async ({ filters, window, each }) => {
  const pairs = await needKeyPairs(filters, window)
  const odd = await findOddRequests(filters)
  await each([...pairs, ...odd], (one) => judgeRequest(one, { filters, window }), {
    of: `${ofPairs(pairs)}, and ${odd.length} sets of values that no event has`,
  })
})

clause('export.metadata.encoded-brackets', {
  should:
    'treat metadata keys with percent-encoded brackets like metadata keys with plain brackets',
  reading: 'a query says the same with reserved signs percent-encoded, as most clients do',
})(async ({ filters, window, each }) => {
  const pairs = await needEncodedPairs(filters, window)
  await each(pairs, (pair) => judgeRequest(pair, { filters, window }), { of: ofPairs })
})

/** The same query in other words: RFC 3986 lets a letter be encoded, and parameters have no order. */
const otherwise: Record<string, (pairs: [name: string, value: string][]) => string> = {
  'every letter of its values encoded, in lower case': (pairs) =>
    pairs
      .map(
        ([name, value]) => `${name}=${Buffer.from(value).toString('hex').replaceAll(/../g, '%$&')}`,
      )
      .join('&'),
  'its parameters in the reverse order': (pairs) =>
    pairs
      .toReversed()
      .map(([name, value]) => pair(name, value))
      .join('&'),
}

const forms = Object.entries(otherwise)

clause('export.query-forms', {
  should: 'return the same file whatever the percent-encoding and order of the query parameters',
  reading:
    'a query says the same with any letter percent-encoded (RFC 3986); parameters have no order',
  since: '0.2',
})(async ({ filters, window, each }) => {
  const { exports } = filters
  const values = await fullest(filters)
  const [timezone] = await acceptedValues(exports, ['Etc/GMT+9', 'Asia/Tokyo'], (zone) => ({
    ...spanOf(window),
    timezone: zone,
  }))
  const filter = mergeQueries(...values.map(({ field, value }) => filterBy(field, value)))
  const plain = { ...spanOf(window), ...filter, timezone, locale: 'en', fileType: 'csv' }
  const pairs = [...new URLSearchParams(exports.text(plain))]
  const control = await exports.csv(plain)
  needExport(control)
  const judge = async ([what, form]: (typeof forms)[number]) => {
    const other = { fileType: null, more: form(pairs) }
    const { answer } = await exports.csv(other)
    needDecidable(answer)
    const refused = problemsOfStatus(answer, '2xx', { control, what: `a query with ${what}` })
    return refused.length > 0 ? refused : problemsOfDifference(exports, window, other, plain)
  }
  const of = `forms of a query of ${pairs.length} parameters give the same file`
  await each(forms, judge, { of })
})

function declareFilter(
  field: Field,
  said: { id: string; narrows: string; named: string; value: string; reading: string },
) {
  clause(`${said.id}.narrows`, {
    must: `${said.narrows} no more events with ${said.named} than without it`,
  })(async ({ filters, window, note }) => {
    expect(await problemsOfNarrowing(field, filters, window)).toBeNone()
    const [{ events }] = await filters.needKnown(field)
    note(`${sizeOf(events)} of ${window.rows.length} events`)
  })

  clause(`${said.id}.exact`, {
    should: `return exactly the events that have the requested ${said.value}`,
  })(async ({ filters, window, settings, each }) => {
    const declared = isMetadataKey(field) ? settings.metadataValues[field] : undefined
    expect(await problemsOfMixedUpFields(field, filters, window, declared)).toBeNone()
    expect(await problemsOfNoEvent(field, filters, window)).toBeNone()
    const [known] = await filters.needKnown(field)
    const values = await valuesToAsk(field, filters, window)
    await each(values, (value) => problemsOfValue(value, field, filters, window), {
      of: `values, ${await describeBasis(field, filters, window)}`,
    })
    expect(await problemsOfPartialMatch(known, filters, window)).toBeNone()
    if (isMetadataKey(field)) expect(await problemsOfOtherKeys(field, filters, window)).toBeNone()
  })

  clause(`${said.id}.unknown-value`, {
    must: `return no events for a value of ${said.named} that no event has`,
    reading: said.reading,
  })(async ({ filters, window, note }) => {
    expect(await problemsOfUnknownValue(field, filters, window)).toBeNone()
    note(`no event of ${window.rows.length} for a value that none has`)
  })
}

const ofPairs = (pairs: readonly Request[]) =>
  `${pairs.length} pairs: ${pairs.map(describeFields).join(', ')}`
