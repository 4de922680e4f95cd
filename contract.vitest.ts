// The clauses as tests of vitest: npx vitest run --project contract [-t PATTERN]
import { inject, test } from 'vitest'
import { registerClauses } from './program/contract-tests.ts'

registerClauses(test, inject('environment'))
