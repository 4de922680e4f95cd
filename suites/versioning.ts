import { describe } from 'vitest'
import { notKnown } from '../engine/observation.ts'
import { clause } from '../helpers/clause.ts'
import { premise } from '../helpers/service/answers.ts'

describe('Limits and versioning', () => {
  clause(
    'versioning.path',
    {
      observe: 'whether the base ends in /v5, and what the service answers without that',
      section: 'Versioning',
      operation: 'task.read',
    },
    async ({ service, session, unknownId }) => {
      const { baseUrl } = session.settings
      if (!baseUrl.endsWith('/v5')) return { base: 'does not end in /v5', without: notKnown }
      const base = baseUrl.slice(0, -'/v5'.length)
      const id = session.known.readable.task ?? unknownId
      const { status } = await service.readTask(id, { base })
      return { base: 'ends in /v5', without: status }
    },
  )

  clause(
    'limits.rate',
    {
      observe: 'whether the run met rate limiting, and how it is told',
      section: 'Limits',
      varies: 'how much was asked before',
    },
    async ({ rate }) => {
      premise(!rate.isIdle, 'data', 'no other clause sent a request')
      return rate.seen()
    },
  )
})
