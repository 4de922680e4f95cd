import { test as base, type TestAPI } from 'vitest'
import { provided } from '../../../engine/clause/chosen.ts'
import { clausesOn, declareClauses } from '../../../engine/clause/clause.ts'
import type { Some } from '../../../engine/clause/law.ts'
import { type Answer, openClient } from '../../../engine/http/client.ts'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { problemsOfStatus } from '../../../engine/http/status.ts'
import { problemUnless } from '../../../engine/problem.ts'
import { openWorkerEnd } from '../../../engine/run/channel.ts'
import type { ToySettings } from './contract.ts'

declare module 'vitest' {
  interface ProvidedContext {
    toy: { id: string; settings: ToySettings }
  }
}

type Lamp = { on: boolean; colour: string }

const lampIn = ({ text }: Answer): Lamp => JSON.parse(text)

const test = base
  .extend('session', { scope: 'file' }, async ({}, { onCleanup }) => {
    const { id, settings } = provided('toy')
    const stopping = new AbortController()
    const channel = openWorkerEnd(id, (reason) => stopping.abort(new Error(reason)))
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

type Shown = { lamp: Lamp; answer: Answer; control?: Answer }

const clause = clausesOn<Givens>()({ section: 'Lamps', operation: 'read', needs: 'a lamp' })

const shownIn = (answer: Answer, control?: Answer): Shown => ({
  lamp: lampIn(answer),
  answer,
  ...(control && { control }),
})

const problemsOfState = ({ lamp, answer }: Shown, isRight: (on: unknown) => boolean) =>
  problemUnless(isRight(lamp.on), `the lamp is ${lamp.on}`, {
    ...{ expected: 'as it was switched', got: String(lamp.on), judged: answer },
  })

clause('lamp.read', {
  must: 'show whether the lamp is on',
  law: (shown: Shown) => problemsOfState(shown, (on) => typeof on === 'boolean'),
  of: 'lamps',
})(async ({ lamps, session }) => [shownIn(await lamps.read(session.lamp))])

clause('lamp.switch', {
  must: 'keep a lamp as it was switched',
  operation: 'switch',
  law: (shown: Shown) => problemsOfState(shown, (on) => on === true),
  of: 'lamps',
})(async ({ lamps, switchedOff }) => {
  const answer = await lamps.turn(switchedOff, true)
  return [shownIn(await lamps.read(switchedOff), answer)]
})

clause('lamp.key', {
  must: 'answer 401 without the key',
  section: 'Keys',
  law: (answer: Answer) => problemsOfStatus(answer, 401),
  of: 'answers',
})(async ({ lamps, session }) => [await lamps.read(session.lamp, null)])

clause('lamp.colour', {
  observe: 'the colour of a lamp',
  look: ([{ lamp }]: Some<Shown>) => lamp.colour,
})(async ({ lamps, session }) => [shownIn(await lamps.read(session.lamp))])

declareClauses(test)
