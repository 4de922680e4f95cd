import { expect, test } from 'vitest'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { createService } from '../../../helpers/service/service.ts'
import { unassignBody } from '../../../helpers/service/update-request.ts'
import { clientFor, httpServer } from '../../engine/http/servers.ts'

/** A service that closes the first connection, as after an idle timeout. */
async function serviceThatClosesOnce() {
  let count = 0
  const url = await httpServer((request, response) => {
    count += 1
    if (count === 1) request.socket.destroy()
    else response.writeHead(404).end()
  })
  return createService(clientFor(url).client, () => {}, { isGiven: (_, id) => id === 'given' })
}

const version = '2026-01-01T00:00:00.000Z'

test('an update of an unknown id is repeated if its connection was closed', async () => {
  const service = await serviceThatClosesOnce()
  const answer = await service.put('unknown', version, unassignBody('me'))
  expect(answer).toMatchObject({ status: 404, attempts: 2 })
})

test('an update of a task is not: it may have been accepted', async () => {
  const service = await serviceThatClosesOnce()
  const sent = service.put('given', version, unassignBody('me'))
  await expect(sent).rejects.toBeInstanceOf(FateUnknown)
})
