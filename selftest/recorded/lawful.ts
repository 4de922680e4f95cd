// A lawful service beside a faulty one: it is given the same state and the same request, each time anew.
import { isDeepStrictEqual } from 'node:util'
import { membersOf } from '../../engine/http/answers.ts'
import { ofGateways, type Recorded } from '../../helpers/service/seen.ts'
import type { Service } from '../../reference/service.ts'
import type { Task } from '../../reference/world/world.ts'

type Answered = { status: number; type: string | null; body: Buffer }

/**
 * The service, with a lawful one beside it that `create` makes of its state. What happens between two requests
 * may be the work of another writer, so only what differs in one request or after it shows a fault.
 */
export function besideLawful(
  service: Service,
  create: (state: ReturnType<Service['state']>) => Service,
) {
  const answers = new Map<string, Promise<Answered>>()
  const tasksOf = ({ state }: Service) => state().world.tasks
  let lawful = create(service.state())
  let [own, theirs] = [tasksOf(service), tasksOf(lawful)]
  let [underWay, isSame] = [0, true]
  let leftApart: string | undefined
  return {
    world: service.world,
    async fetch(request: Request, address?: string) {
      if (underWay === 0) {
        const state = service.state()
        const now = state.world.tasks
        if (!isSame || now.some((task, at) => task !== own[at])) lawful = create(state)
        own = now
        theirs = tasksOf(lawful)
      }
      underWay += 1
      const answer = lawful.fetch(request.clone(), address).then(
        async (response): Promise<Answered> => ({
          status: response.status,
          type: response.headers.get('content-type'),
          body: Buffer.from(await response.arrayBuffer()),
        }),
      )
      const number = request.headers.get('x-request-id') ?? ''
      answers.set(number, answer)
      const [response] = await Promise.all([service.fetch(request, address), answer])
      underWay -= 1
      if (underWay > 0) return response
      const beside = tasksOf(lawful)
      const left = tasksOf(service).map((task, at) => [task, beside[at] as Task] as const)
      const changed = [...left.entries()].filter(
        ([at, [one, other]]) => one !== own[at] || other !== theirs[at],
      )
      isSame = changed.every(([, [one, other]]) => isDeepStrictEqual(one, other))
      const isAlike = changed.every(([at, both]) => {
        const [one, other] = both.map((task) => changeOf(task, own[at]?.updated_at))
        return isDeepStrictEqual(one, other)
      })
      if (!isAlike) leftApart ??= `${number} leaves another state`
      own = left.map(([task]) => task)
      return response
    },
    /** The first exchange whose answer differs; if none does, the first that left another state. */
    async apart(recorded: readonly Recorded[]): Promise<string | undefined> {
      const others = new Map<string, Answered>()
      for (const [number, answer] of answers) others.set(number, await answer)
      const versions = new Set<unknown>()
      const isApart = ({ number, status, headers, body, requestHeaders }: Recorded) => {
        const own = { status, type: headers['content-type'] ?? null, body: body ?? Buffer.alloc(0) }
        // Permissions and gateways are not shown: they may refuse any request.
        const isOfGateway =
          ofGateways.includes(status) && requestHeaders.apikey === service.world.apiKey
        const other = others.get(`${number}`) as Answered
        const isSame = isDeepStrictEqual(toldBy(own, versions), toldBy(other, versions))
        versions.add(versionIn(own.body))
        return !isSame && !isOfGateway && ![502, 503, 504].includes(status)
      }
      const inOrder = [...recorded].sort((one, other) => one.number - other.number)
      const first = inOrder.find(isApart)
      return first
        ? `${first.number} is ${first.status}, not ${others.get(`${first.number}`)?.status}`
        : leftApart
    },
  }
}

/** Which new version it got does not matter, only whether it got one. */
const changeOf = ({ updated_at, locked_at, ...rest }: Task, before: string | undefined) => ({
  ...rest,
  isChanged: updated_at !== before,
  isLocked: locked_at === updated_at,
})

const toldBy = ({ status, type, body }: Answered, versions: ReadonlySet<unknown>) => {
  const version = versionIn(body)
  const text = body.toString('latin1')
  const isNew = version !== undefined && !versions.has(version)
  return { status, type, text: isNew ? text.replaceAll(version, 'new') : text }
}

function versionIn(body: Buffer): string | undefined {
  const { updated_at: version } = membersOf({ text: String(body) })
  return typeof version === 'string' ? version : undefined
}
