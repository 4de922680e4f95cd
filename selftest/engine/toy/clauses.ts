import { test as base, type TestAPI } from 'vitest'
import { clausesOn, declareClauses } from '../../../engine/clause/clause.ts'
import { expect } from '../../../engine/clause/matchers.ts'
import { provided } from '../../../engine/clause/provided.ts'
import { type Answer, openClient } from '../../../engine/http/client.ts'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { openWorkerEnd } from '../../../engine/run/channel.ts'
import type { ToySettings } from './contract.ts'

declare module 'vitest' {
  interface ProvidedContext {
    toy: { id: string; settings: ToySettings }
  }
}

const lampIn = ({ text }: Answer): { on: boolean; colour: string } => JSON.parse(text)

const test = base
  .extend('session', { scope: 'file' }, async ({}, { onCleanup }) => {
    const { id, settings } = provided('toy')
    const stopping = new AbortController()
    const channel = openWorkerEnd(id, ({ reason }) => stopping.abort(new Error(reason)))
    const client = openClient(
      {
        baseUrl: settings.baseUrl ?? '',
        apiKey: settings.apiKey ?? '',
        keyHeader: 'x-lamp-key',
        userAgent: 'lamp-contract',
        concurrency: 2,
        timeoutMs: 5000,
        downloadTimeoutS: 5,
        maxExportMb: 1,
        seed: 1,
      },
      { stop: stopping.signal, onRequest: channel.requested },
    )
    onCleanup(async () => {
      channel.close()
      await client.close()
    })
    return { client, lamp: settings.lamp }
  })
  .extend('evidence', { auto: true }, async ({ task }, { onCleanup }) => {
    const evidence: Exchange[] = []
    onCleanup(() => {
      task.meta.evidence = evidence
    })
    return evidence
  })
  .extend('lamps', async ({ session, evidence }) => {
    const record = (exchange: Exchange) => evidence.push(exchange)
    const path = (name: string) => `/lamps/${name}`
    const headers = { 'content-type': 'application/json' }
    return {
      read: (name: string, key?: null) =>
        session.client.ask({ method: 'GET', path: path(name), key }, record),
      turn: (name: string, on: boolean) =>
        session.client.ask(
          { method: 'PUT', path: path(name), headers, body: JSON.stringify({ on }) },
          record,
        ),
    }
  })
  // A lamp with a state that is put back however the clause ends.
  .extend('switchedOff', async ({ session, lamps }, { onCleanup }) => {
    const { on } = lampIn(await lamps.read(session.lamp))
    if (on) await lamps.turn(session.lamp, false)
    onCleanup(async () => void (await lamps.turn(session.lamp, on)))
    return session.lamp
  })

type Givens = typeof test extends TestAPI<infer Extra> ? Extra : never

const clause = clausesOn<Givens>()()

clause('lamp.read', {
  must: 'show whether the lamp is on',
  section: 'Lamps',
  operation: 'read',
})(async ({ lamps, session }) => {
  expect(typeof lampIn(await lamps.read(session.lamp)).on).toBe('boolean')
})

clause('lamp.switch', {
  must: 'keep a lamp as it was switched',
  section: 'Lamps',
  operation: 'switch',
})(async ({ lamps, switchedOff }) => {
  expect(await lamps.turn(switchedOff, true)).toBeAccepted()
  expect(lampIn(await lamps.read(switchedOff)).on).toBe(true)
})

clause('lamp.key', {
  must: 'answer 401 without the key',
  section: 'Keys',
  operation: 'read',
})(async ({ lamps, session }) => {
  expect(await lamps.read(session.lamp, null)).toHaveStatus(401)
})

clause('lamp.colour', {
  observe: 'the colour of a lamp',
  section: 'Lamps',
  operation: 'read',
})(async ({ lamps, session }) => lampIn(await lamps.read(session.lamp)).colour)

declareClauses(test)
