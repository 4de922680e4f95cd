import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf, writeWhole } from '../../engine/journal/disk.ts'
import type { Service } from '../../reference/service.ts'
import type { KeptLesson } from '../input/lesson.ts'
import { Impossible } from '../input/mistakes.ts'
import type { WorldFile } from '../input/world-file.ts'

type Fetch = Service['fetch']

/** A service that begins anew, and shows what it holds, when somebody on this machine asks for it. */
export function createResettable(make: () => Service): { fetch: Fetch; state(): WorldFile } {
  let service = make()
  const state = () => worldFileOf(service)
  return {
    state,
    async fetch(request, address) {
      const { pathname, hostname } = new URL(request.url)
      if (pathname !== '/__world') return service.fetch(request, address)
      // A page of another site that reaches this machine has another name for it.
      if (!isHere(hostname) || (address !== undefined && !isLoopback(address)))
        return new Response('only from this machine\n', { status: 403 })
      if (request.method === 'DELETE') service = make()
      else if (request.method !== 'GET')
        return new Response('GET shows the world, DELETE resets it\n', { status: 405 })
      return Response.json(state())
    },
  }
}

const isHere = (hostname: string) => ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
const isLoopback = (address: string) => /^(::ffff:)?127\.|^::1$/.test(address)

function worldFileOf(service: Service): WorldFile {
  const { world, events } = service.state()
  const { apiKey, users, teams, tasks, assessments } = world
  return { worldVersion: 1, apiKey, users, teams, tasks, assessments, events }
}

/** Writes the world, and apart from it what was learned: a mock begins with them again. */
export function saveState(dir: string, world: WorldFile, lesson: KeptLesson | undefined): void {
  try {
    mkdirSync(dir, { recursive: true })
    writeWhole(join(dir, 'world.json'), `${JSON.stringify(world, null, 1)}\n`)
    if (lesson) writeWhole(join(dir, 'like.json'), `${JSON.stringify(lesson, null, 1)}\n`)
  } catch (error) {
    throw new Impossible(
      `--save ${dir} cannot be written (${reasonOf(error)}); give a folder that can.`,
    )
  }
}
