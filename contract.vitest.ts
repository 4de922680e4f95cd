// The clauses as tests of vitest: npx vitest run --project contract [-t PATTERN]
import { test } from 'vitest'
import { registerClauses } from './program/in-vitest.ts'

await registerClauses(test)
