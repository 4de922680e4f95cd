import { expect, test } from 'vitest'
import { needValuesForPdf } from '../../../../helpers/export/judge/together/filtered-pdf.ts'
import type { Filters, Known } from '../../../../helpers/export/learn/filters.ts'

/** Filters that know values by the events that each has. */
const filtersOf = (known: Record<string, Record<string, string[]>>) =>
  ({
    known: async (field: string) =>
      Object.entries(known[field] ?? {}).map(([value, events]) => ({
        field,
        value,
        events: new Map(events.map((event) => [event, 1])),
      })),
    whyNoValue: () => ['data', 'no value is known'],
  }) as unknown as Filters

const described = (sets: Known[][]) =>
  sets.map((set) => set.map(({ field, value }) => `${field}=${value}`).join(' and '))

test('two values are asked for at once where each leaves events out that the other does not', async () => {
  const sets = await needValuesForPdf(
    filtersOf({
      auditee_id: { anna: ['1', '2'] },
      event_type: { task: ['2', '3'] },
      tag: { vip: ['1'] },
    }),
  )
  expect(described(sets)).toEqual(['auditee_id=anna and event_type=task', 'tag=vip'])
})

test('and each alone where the events of one are among those of the other', async () => {
  const sets = await needValuesForPdf(
    filtersOf({
      auditee_id: { anna: ['1', '2', '3'] },
      event_type: { task: ['2', '3'] },
      system_source: { app: ['1'] },
    }),
  )
  expect(described(sets)).toEqual(['auditee_id=anna', 'event_type=task', 'system_source=app'])
})

test('without any value nothing is asked for', async () => {
  await expect(needValuesForPdf(filtersOf({}))).rejects.toThrow('no value is known')
})
