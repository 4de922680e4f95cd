import { expect, test } from 'vitest'
import type { Order } from '../../../engine/files/dates.ts'
import { formOf } from '../../../helpers/export/learn/date-form.ts'

test.each<[string, Order, string[]]>([
  ['{YYYY}-{MM}-{DD}T{HH}:{mm}:{ss}.{SSS}{Z}', 'ymd', ['2026-03-15T17:08:09.120Z']],
  ['{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}.{SSSSSS}', 'ymd', ['2026-03-15 17:08:09.123456']],
  ['{DD}/{MM}/{YYYY} {HH}:{mm}', 'dmy', ['15/03/2026 17:08', '04/05/2026 06:07']],
  ['{MM}/{DD}/{YYYY} {HH}:{mm}', 'mdy', ['03/15/2026 17:08', '05/04/2026 06:07']],
  ['{DD}/{MM}/{YYYY} {HH}:{mm}', 'dmy', ['04/05/2026 06:07']],
  ['{MM}/{DD}/{YYYY} {HH}:{mm}', 'mdy', ['05/05/2026 06:07']],
  ['{DD}/{MM}/{YYYY} {HH}:{mm}', 'dmy', ['05/05/2026 06:07']],
  ['{D} {MMM} {YYYY}, {h}:{mm} {a}', 'dmy', ['5 Mar 2026, 7:08 pm', '15 Apr 2026, 11:08 am']],
  ['{DD} {MMM} {YYYY}, {HH}:{mm}', 'dmy', ['15 Sept 2026, 17:08', '15 Oct 2026, 17:08']],
  ['{dddd}, {DD} {MMMM} {YYYY} {HH}:{mm}', 'dmy', ['Sunday, 15 March 2026 17:08']],
  ['{YYYY}-{MM}-{DD} {HH}:{mm} {+HH:MM}', 'ymd', ['2026-03-15 17:08 +02:00']],
  ['{YYYY}-{MM}-{DD} {HH}:{mm} {zone}', 'ymd', ['2026-03-15 17:08 UTC']],
  ['{ms}', 'epoch', ['1773594489120']],
])('%s (%s): %s', (form, order, texts) => {
  expect(formOf(texts, order)).toBe(form)
})

test('dates that have no form in common have none', () => {
  expect(formOf(['2026-03-15 17:08', '15 March 2026 17:08'], 'ymd')).toBeUndefined()
  expect(formOf(['no date'], 'ymd')).toBeUndefined()
})
