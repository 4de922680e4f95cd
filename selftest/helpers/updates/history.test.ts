import { expect, test } from 'vitest'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { whyTooFew } from '../../../helpers/updates/history.ts'

test.each([
  [Trouble, [500, 500]],
  [Trouble, [undefined, 503]],
  [NotDecidable, [200, 409, undefined]],
])('too few accepted updates are %o where they were answered %j', (kind, statuses) => {
  const asked = statuses.map((status) => ({ method: 'PUT', status }) as Exchange)
  expect(() => whyTooFew('too few accepted', asked)).toThrow(kind)
})
