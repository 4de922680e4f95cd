import type { Service } from '../../reference/service.ts'
import type { WorldFile } from '../input/world-file.ts'

/** A service that can be reset and shows its state, on request from this machine alone. */
export function createResettable(make: () => Service): Pick<Service, 'fetch'> {
  let service = make()
  return {
    async fetch(request, address) {
      const { pathname, hostname } = new URL(request.url)
      if (pathname !== '/__world') return service.fetch(request, address)
      // A page of another site that reaches this machine has another host name.
      if (!isHere(hostname) || (address !== undefined && !isLoopback(address)))
        return new Response('only from this machine\n', { status: 403 })
      if (request.method === 'DELETE') service = make()
      else if (request.method !== 'GET')
        return new Response('GET shows the world, DELETE resets it\n', { status: 405 })
      const { world, events } = service.state()
      const { apiKey, users, teams, tasks, assessments } = world
      const file: WorldFile = { worldVersion: 1, apiKey, users, teams, tasks, assessments, events }
      return Response.json(file)
    },
  }
}

const isHere = (hostname: string) => ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
const isLoopback = (address: string) => /^(::ffff:)?127\.|^::1$/.test(address)
