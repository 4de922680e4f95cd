import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { problemsOfAccepted, type RequestFacts } from '../../../helpers/service/must-refuse.ts'
import { createService } from '../../../helpers/service/service.ts'
import { unassignBody } from '../../../helpers/service/update-request.ts'
import { clientFor, httpServer } from '../../engine/http/servers.ts'

const apiKey = 'the-configured-key'
const wrong = { key: 'not-the-right-one' }

const ownersOf = (sent: Partial<RequestFacts>, status = 200) => {
  const answer = { method: 'GET', path: '/tasks/t', status, exchange: 1 } as Answer
  const problems = problemsOfAccepted({ operation: 'task.read', ...sent }, answer, apiKey)
  return problems.map(({ owner }) => owner)
}

describe('an accepted request breaks', () => {
  test.each<[string, Partial<RequestFacts>, string]>([
    ['what is said of no key', { how: { key: null } }, 'auth.missing-key.task.read'],
    ['what is said of a wrong key', { how: wrong }, 'auth.invalid-key.task.read'],
    ['what is said of an empty key', { how: { key: '' } }, 'auth.invalid-key.task.read'],
    [
      'what is said of unknown ids',
      { operation: 'assign.unassign', isUnknownId: true },
      'assign.not-found.unassign',
    ],
    [
      'what is said of the key first',
      { operation: 'assign.update', how: wrong, isUnknownId: true },
      'auth.invalid-key.assign.update',
    ],
  ])('%s', (_, sent, owner) => {
    expect(ownersOf(sent)).toEqual([owner])
    expect(ownersOf(sent, 409)).toEqual([])
  })

  test.each<[string, RequestFacts['how']]>([
    ['the configured key', undefined],
    ['the configured key, given', { key: apiKey }],
    ['one that is like it', { key: apiKey.toUpperCase() }],
    ['the key in the query', { key: null, query: 'apikey=it' }],
    ['the key in another header', { key: null, headers: { authorization: 'it' } }],
    ['no key in another region', { key: null, base: 'http://abroad' }],
  ])('nothing with %s', (_, how) => {
    expect(ownersOf({ how })).toEqual([])
  })
})

test('everything that a clause sends is judged, with its exchange', async () => {
  const met: [string, number][] = []
  const url = await httpServer((_, response) => response.writeHead(200).end('{}'))
  const service = createService(clientFor(url).client, () => {}, {
    apiKey,
    isGiven: () => false,
    met: ({ owner, exchanges }) => met.push([owner, exchanges?.length ?? 0]),
  })
  const [unknown, version] = [crypto.randomUUID(), '2026-01-01T00:00:00.000Z']
  await service.put(unknown, version, unassignBody('me'))
  await service.put('no-uuid', version, unassignBody('me'))
  await service.readAssessment(unknown, wrong)
  await service.exportEvents('', { key: null })
  await service.readTask(unknown, { key: null, query: 'apikey=it' })
  expect(met).toEqual([
    ['assign.not-found.unassign', 1],
    ['auth.invalid-key.assessment.read', 1],
    ['auth.missing-key.export', 1],
  ])
})
