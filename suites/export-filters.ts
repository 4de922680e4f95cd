import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { distinct } from '../engine/distinct.ts'
import { sizeOf } from '../engine/files/multiset.ts'
import { NotDecidable } from '../engine/outcome.ts'
import { clause } from '../helpers/clause.ts'
import { problemsOfAll } from '../helpers/export/ask/problems-of-all.ts'
import { parameters } from '../helpers/export/ask/query.ts'
import {
  problemsOfNarrowing,
  problemsOfUnknownValue,
} from '../helpers/export/judge/filter-effect.ts'
import { problemsOfMixedUpFields } from '../helpers/export/judge/filter-mixups.ts'
import {
  describeFields,
  type FilterPair,
  needParameterPairs,
  problemsOfBoth,
} from '../helpers/export/judge/filter-pairs.ts'
import {
  describeBasis,
  learnedColumns,
  problemsOfParts,
  problemsOfValues,
} from '../helpers/export/judge/filter-values.ts'
import { judgeFilteredBounds } from '../helpers/export/judge/ranges/filtered-bounds.ts'
import {
  describeNotUnderstood,
  needSeparateValues,
  problemsOfOneOfSeveral,
  problemsOfSeveral,
  problemsOfUnlikeSeveral,
  understoodEncodings,
} from '../helpers/export/judge/several-values.ts'
import {
  type Combination,
  findCombinations,
  problemsOfCombination,
  thatCanBeJudged,
} from '../helpers/export/judge/together/combinations.ts'
import {
  needValuesForPdf,
  problemsOfFilteredPdf,
} from '../helpers/export/judge/together/filtered-pdf.ts'
import type { Source } from '../helpers/export/learn/columns.ts'
import type { Known } from '../helpers/export/learn/filters.ts'
import { premise } from '../helpers/service/answers.ts'

const section = 'Export audit events'
const operation = 'export'

describe('Export: filters', () => {
  for (const parameter of parameters) {
    clause(
      `export.filter.${parameter}.narrows`,
      {
        must: `give no more events with ${parameter} than without it`,
        section,
        operation,
      },
      async ({ filters, window, note }) => {
        expect(await problemsOfNarrowing(parameter, filters, window)).toBeNone()
        const [{ events }] = await filters.needKnown(parameter)
        note(`${sizeOf(events)} of ${window.rows.length} events`)
      },
    )

    clause(
      `export.filter.${parameter}.exact`,
      {
        should: `give only and all of the events that have the value of ${parameter}`,
        section,
        operation,
      },
      async ({ filters, window, note }) => {
        expect(await problemsOfMixedUpFields(parameter, filters, window)).toBeNone()
        expect(await problemsOfValues(parameter, filters, window)).toBeNone()
        note(await describeBasis(parameter, filters, window))
      },
    )

    clause(
      `export.filter.${parameter}.unknown-value`,
      {
        must: 'give no event for a value that no event has',
        section,
        operation,
        reading: 'the four array parameters are encoded alike; 4xx is an answer as well',
      },
      async ({ filters, window, note }) => {
        expect(await problemsOfUnknownValue(parameter, filters, window)).toBeNone()
        note(`no event of ${window.rows.length} for a value that none has`)
      },
    )

    clause(
      `export.filter.${parameter}.several`,
      {
        must: `give the events of each of several values of ${parameter}`,
        section,
        operation,
        reading: 'an array of values asks for events with any of them, written as ARRAY_ENCODING',
      },
      async ({ filters, window, note }) => {
        const values = await needSeparateValues(filters, parameter)
        if (filters.form.declared) {
          expect(await problemsOfSeveral(values, filters, window)).toBeNone()
          note(`${values.length} values, as many events as each of them alone`)
          return
        }
        // How several values are written is not shown: that none of our ways works is no breach.
        const understood = await understoodEncodings(parameter, filters, window)
        premise(understood.length > 0, 'freedom', describeNotUnderstood(values))
        // What takes two values takes three in the same way.
        if (values.length > 2)
          expect(await problemsOfSeveral(values, filters, window, understood[0])).toBeNone()
        note(`several values give the events of each, written as ${understood.join(', ')}`)
      },
    )
  }

  clause(
    'export.filter.several-alike',
    {
      should: 'take several values of every array parameter, written as those of another',
      section,
      operation,
      reading: 'how arrays are written is not shown, and is one way for all parameters',
    },
    async ({ filters, window, note }) => {
      const { problems, alike } = await problemsOfUnlikeSeveral(filters, window)
      expect(problems).toBeNone()
      note(`two values give the events of both: ${alike.join(', ')}`)
    },
  )

  clause(
    'export.filter.several-count',
    {
      should: 'let each of several values of an array parameter count, in one of the usual forms',
      section,
      operation,
      reading: 'several values are written in one of the forms that ARRAY_ENCODING names',
    },
    async ({ filters, window, note }) => {
      const { problems, judged } = await problemsOfOneOfSeveral(filters, window)
      expect(problems).toBeNone()
      note(`two values do not give the events of one of them alone: ${judged.join(', ')}`)
    },
  )

  clause(
    'export.filter.conjunction',
    {
      should: 'give the events that pass every filter when several are given',
      section,
      operation,
    },
    async ({ filters, window, note }) => {
      const pairs = await needParameterPairs(filters)
      note(`${pairs.length} of 10 pairs of parameters: ${pairs.map(describeFields).join(', ')}`)
      const judge = (pair: FilterPair) => problemsOfBoth(pair, filters, window)
      expect(await problemsOfAll(pairs, judge)).toBeNone()
    },
  )

  clause(
    'export.filter.partition',
    {
      should: 'give each event that has a parameter’s field for one of its values',
      section,
      operation,
    },
    async ({ filters, window, note }) => {
      if (!filters.form.settled) throw new NotDecidable(...(await filters.why(...parameters)))
      const sources = await learnedColumns(parameters, filters)
      premise(
        sources.length > 0,
        'freedom',
        'no column is known to show a parameter: for none do the events of a value and the rows that show it agree',
      )
      note(`by ${sources.map(({ field }) => field).join(', ')}`)
      const judge = (source: Source) => problemsOfParts(source, filters, window)
      expect(await problemsOfAll(sources, judge)).toBeNone()
    },
  )

  for (const fileType of ['csv', 'pdf'] as const)
    clause(
      `export.filter.combined.${fileType}`,
      {
        should: `give the same events in a ${fileType.toUpperCase()} of several filters, in any zone, language and part of the range`,
        section,
        operation,
      },
      async ({ ranges, filters, window, settings, pdfIdentity, note }) => {
        const all = await findCombinations(ranges, filters, settings.seed)
        const identity = fileType === 'pdf' ? pdfIdentity : undefined
        const ofType = all.filter((each) => each.fileType === fileType)
        const chosen = thatCanBeJudged(ofType, identity, window)
        const judge = (each: Combination) => problemsOfCombination(each, filters, window, identity)
        expect(await problemsOfAll(chosen, judge)).toBeNone()
        note(`${chosen.length} of ${all.length} requests in which every two forms meet`)
      },
    )

  clause(
    'export.filter.one-bound',
    {
      should: 'keep a filtered file to its range where only one bound is given',
      section,
      operation,
    },
    async ({ ranges, filters, window, note }) => {
      const times = await ranges.times()
      const { problems, described } = await judgeFilteredBounds(filters, window, times)
      expect(problems).toBeNone()
      note(`${described}, with one bound and with both`)
    },
  )

  clause(
    'export.filter.pdf',
    {
      should: 'apply filters to a PDF as to a CSV',
      section,
      operation,
    },
    async ({ filters, window, pdfIdentity, note }) => {
      const judge = (values: Known[]) => problemsOfFilteredPdf(values, filters, window, pdfIdentity)
      const sets = await needValuesForPdf(filters)
      expect(await problemsOfAll(sets, judge)).toBeNone()
      note(`by ${distinct(sets.flat().map(({ field }) => field)).join(', ')}`)
    },
  )
})
