import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { sizeOf } from '../engine/files/multiset.ts'
import { clause } from '../helpers/clause.ts'
import { problemsOfAll } from '../helpers/export/ask/problems-of-all.ts'
import {
  judgeAcceptance,
  problemsOfNarrowing,
  problemsOfUnknownValue,
} from '../helpers/export/judge/filter-effect.ts'
import { problemsOfMixedUpFields } from '../helpers/export/judge/filter-mixups.ts'
import {
  describeFields,
  type FilterPair,
  needKeyPairs,
  problemsOfBoth,
  problemsOfOneAlone,
} from '../helpers/export/judge/filter-pairs.ts'
import { describeBasis, problemsOfValues } from '../helpers/export/judge/filter-values.ts'
import { problemsOfOtherKeys } from '../helpers/export/judge/other-keys.ts'
import {
  needWritten,
  problemsOfBrackets,
  type Written,
} from '../helpers/export/judge/together/brackets.ts'
import {
  type Odd,
  oddValues,
  problemsOfOddValues,
} from '../helpers/export/judge/together/key-beside-others.ts'
import { metadataKeys } from '../helpers/service/operations.ts'

const section = 'Export audit events'
const operation = 'export'

describe('Export: metadata', () => {
  for (const key of metadataKeys) {
    clause(
      `export.metadata.${key}.accepted`,
      {
        must: `accept metadata[${key}] with a value that events have`,
        section,
        operation,
      },
      async ({ filters, window, settings, note }) => {
        const { problems, witness } = await judgeAcceptance(key, { filters, window, settings })
        expect(problems).toBeNone()
        note(witness)
      },
    )

    clause(
      `export.metadata.${key}.narrows`,
      {
        must: `give no more events with metadata[${key}] than without it`,
        section,
        operation,
      },
      async ({ filters, window, note }) => {
        expect(await problemsOfNarrowing(key, filters, window)).toBeNone()
        const [{ events }] = await filters.needKnown(key)
        note(`${sizeOf(events)} of ${window.rows.length} events`)
      },
    )

    clause(
      `export.metadata.${key}.exact`,
      {
        should: `give only and all of the events that have the value of ${key} in their metadata`,
        section,
        operation,
      },
      async ({ filters, window, settings, note }) => {
        const declared = settings.metadataValues[key]
        expect(await problemsOfMixedUpFields(key, filters, window, declared)).toBeNone()
        expect(await problemsOfValues(key, filters, window)).toBeNone()
        expect(await problemsOfOtherKeys(key, filters, window)).toBeNone()
        note(await describeBasis(key, filters, window))
      },
    )

    clause(
      `export.metadata.${key}.unknown-value`,
      {
        must: `give no event for a value of metadata[${key}] that no event has`,
        section,
        operation,
        reading: '4xx is an answer as well',
      },
      async ({ filters, window, note }) => {
        expect(await problemsOfUnknownValue(key, filters, window)).toBeNone()
        note(`no event of ${window.rows.length} for a value that none has`)
      },
    )
  }

  clause(
    'export.metadata.several-keys',
    {
      must: 'let each of several metadata keys have its effect',
      section,
      operation,
      reading: 'several keys ask for events with all of the values or, read generously, with any',
    },
    async ({ filters, window, note }) => {
      const pairs = await needKeyPairs(filters, window, metadataKeys)
      note(`${pairs.length} pairs of keys: ${pairs.map(describeFields).join(', ')}`)
      const judge = (pair: FilterPair) => problemsOfOneAlone(pair, filters, window)
      expect(await problemsOfAll(pairs, judge)).toBeNone()
    },
  )

  clause(
    'export.metadata.conjunction',
    {
      should: 'give the events that have the values of all metadata keys',
      section,
      operation,
    },
    async ({ filters, window, note }) => {
      const pairs = await needKeyPairs(filters, window, metadataKeys)
      note(`${pairs.length} pairs of keys: ${pairs.map(describeFields).join(', ')}`)
      const judge = (pair: FilterPair) => problemsOfBoth(pair, filters, window)
      expect(await problemsOfAll(pairs, judge)).toBeNone()
      const judgeOdd = (odd: Odd) => problemsOfOddValues(odd, filters, window)
      expect(await problemsOfAll(await oddValues(filters), judgeOdd)).toBeNone()
    },
  )

  clause(
    'export.metadata.encoded-brackets',
    {
      should: 'take metadata keys with their brackets percent-encoded as with them plain',
      section,
      operation,
      reading: 'a query says the same with reserved signs percent-encoded, as most clients do',
    },
    async ({ filters, window, note }) => {
      const all = await needWritten(filters, window)
      const judge = (written: Written) => problemsOfBrackets(written, filters, window)
      expect(await problemsOfAll(all, judge)).toBeNone()
      note(all.map(({ pair }) => describeFields(pair)).join(', '))
    },
  )
})
