// What recorded traffic shows of keys, until the clauses of suites/authentication.ts say so themselves.

import type { Judging } from '../../engine/clause/law.ts'
import { problemsOfStatus } from '../../engine/http/status.ts'
import { problemsOfSecret, tellingValues } from '../reads/refusals.ts'
import { type Operation, operations } from '../service/operations.ts'
import {
  type KeyTrial,
  keyTrials,
  lookupTrials,
  type Moment,
  refusedReadsOfKnown,
} from './moments.ts'

const law = ({ answer, control }: KeyTrial) => problemsOfStatus(answer, 401, { control })
const of = 'requests'
const kinds = { 'missing-key': 'none', 'invalid-key': 'wrong', 'key-case': 'another case' } as const

export const judgingOfKeys = new Map<string, Judging<object, Moment>>([
  ...(Object.keys(operations) as Operation[]).flatMap((operation) => [
    ...Object.entries(kinds).map(([part, key]) => [
      `auth.${part}.${operation}`,
      { law, seen: keyTrials(operation, key), of },
    ]),
    ...(operation === 'export'
      ? []
      : [[`auth.before-lookup.${operation}`, { law, seen: lookupTrials(operation), of }]]),
  ]),
  [
    'auth.refused-reveals-nothing',
    {
      law: ({ resource, answer, control }: NonNullable<ReturnType<typeof refusedReadsOfKnown>>) =>
        tellingValues(resource, JSON.parse(control.text), answer.path).flatMap((each) =>
          problemsOfSecret(each, answer, control),
        ),
      seen: refusedReadsOfKnown,
      of,
    },
  ],
] as never)
