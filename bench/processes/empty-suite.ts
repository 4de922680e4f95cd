import { test } from 'vitest'

// As many tests as a run has clauses.
for (let n = 0; n < 285; n += 1) test(`empty ${n}`, () => {})
