import { describe } from 'vitest'
import { clause } from '../helpers/clause.ts'
import { confirmed } from '../helpers/export/confirmed.ts'
import { parameters } from '../helpers/export/query.ts'
import { expect } from '../helpers/matchers.ts'

describe('Export: filters', () => {
  for (const parameter of parameters)
    clause(
      `export.filter.${parameter}.unknown-value`,
      {
        must: 'give no event for a value that no event has',
        section: 'Export audit events',
        operation: 'export',
      },
      async ({ exports, window, random }) => {
        const { start, end } = window
        const value = random.string.uuid()
        const query = { start, end, filters: { [parameter]: [value] } }
        const found = await exports.csv(query)
        if (found.answer.status >= 400 && found.answer.status < 500) return
        const problems = await confirmed(exports, window, async (fetch) => {
          const rows = await fetch(query)
          return rows.length === 0 ? [] : [`${rows.length} events for ${parameter}=${value}`]
        })
        expect(problems).toBeNone()
      },
    )
})
