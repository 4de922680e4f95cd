import { describe } from 'vitest'
import { clause } from '../engine/clause/clause.ts'
import { expect } from '../engine/clause/matchers.ts'
import { wrongAmong } from '../helpers/export/ask/problems-of-all.ts'
import { parameters } from '../helpers/export/ask/query.ts'
import { eventsForUnknown, moreThanWithout } from '../helpers/export/judge/filter-effect.ts'
import { mistakenFor } from '../helpers/export/judge/filter-mixups.ts'
import {
  fieldsOf,
  type Pair,
  pairsOfParameters,
  wrongWithBoth,
} from '../helpers/export/judge/filter-pairs.ts'
import {
  basisOf,
  columnsOf,
  wrongWithParts,
  wrongWithValues,
} from '../helpers/export/judge/filter-values.ts'
import { problemsOfFilteredPdf, valuesForPdf } from '../helpers/export/judge/pdf-entries.ts'
import {
  encodingsOfSeveral,
  separateValues,
  wrongWithSeveral,
} from '../helpers/export/judge/several-values.ts'
import type { Source } from '../helpers/export/learn/columns.ts'
import type { Known } from '../helpers/export/learn/filters.ts'
import { premise } from '../helpers/service/answers.ts'

const section = 'Export audit events'
const operation = 'export'

describe('Export: filters', () => {
  for (const parameter of parameters) {
    clause(
      `export.filter.${parameter}.narrows`,
      { must: `give no more events with ${parameter} than without it`, section, operation },
      async ({ filters, window }) => {
        expect(await moreThanWithout(parameter, filters, window)).toBeNone()
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
        expect(await mistakenFor(parameter, filters, window)).toBeNone()
        expect(await wrongWithValues(parameter, filters, window)).toBeNone()
        note(await basisOf(parameter, filters, window))
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
      async ({ filters, window, random }) => {
        expect(await eventsForUnknown(parameter, { filters, window, random })).toBeNone()
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
      async ({ filters, window }) => {
        const values = await separateValues(filters, parameter)
        if (filters.form.declared) {
          expect(await wrongWithSeveral(values, filters, window)).toBeNone()
          return
        }
        // How several values are written is not shown: that none of our ways works is no breach.
        const understood = await encodingsOfSeveral(parameter, filters, window)
        premise(
          understood.length > 0,
          `set ARRAY_ENCODING: two values of ${parameter} do not give the events of both, however they are written`,
        )
      },
    )
  }

  clause(
    'export.filter.conjunction',
    {
      should: 'give the events that pass every filter when several are given',
      section,
      operation,
    },
    async ({ filters, window, note }) => {
      const pairs = await pairsOfParameters(filters)
      note(`${pairs.length} of 10 pairs of parameters: ${pairs.map(fieldsOf).join(', ')}`)
      const judge = (pair: Pair) => wrongWithBoth(pair, filters, window)
      expect(await wrongAmong(pairs, judge)).toBeNone()
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
      const sources = await columnsOf(parameters, filters)
      premise(sources.length > 0, 'no column was learned that shows the field of a parameter')
      note(`by ${sources.map(({ field }) => field).join(', ')}`)
      const judge = (source: Source) => wrongWithParts(source, filters, window)
      expect(await wrongAmong(sources, judge)).toBeNone()
    },
  )

  clause(
    'export.filter.pdf',
    { should: 'apply filters to a PDF as to a CSV', section, operation },
    async ({ filters, window, pdfIdentity }) => {
      const judge = (values: Known[]) => problemsOfFilteredPdf(values, filters, window, pdfIdentity)
      expect(await wrongAmong(await valuesForPdf(filters), judge)).toBeNone()
    },
  )
})
