import { Hono } from 'hono'

export type Lamp = { on: boolean; colour: string }

/** A service of two routes that has nothing to do with tasks: a lamp can be looked at and switched. */
export function toyService({ key, heeds = true }: { key: string; heeds?: boolean }) {
  const lamps = new Map<string, Lamp>([['desk', { on: false, colour: 'warm' }]])
  const app = new Hono()
  app.use(async (request, next) =>
    request.req.header('x-lamp-key') === key ? next() : request.json({ error: 'key' }, 401),
  )
  app.get('/lamps/:name', (request) => {
    const lamp = lamps.get(request.req.param('name'))
    return lamp ? request.json(lamp) : request.json({ error: 'lamp' }, 404)
  })
  app.put('/lamps/:name', async (request) => {
    const name = request.req.param('name')
    const lamp = lamps.get(name)
    if (!lamp) return request.json({ error: 'lamp' }, 404)
    const { on } = await request.req.json()
    // A faulty lamp says that it was switched, and was not.
    if (heeds) lamps.set(name, { ...lamp, on })
    return request.json({ ...lamp, on })
  })
  return { app, lamps }
}
