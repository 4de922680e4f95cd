import { makeWorld } from '../../../reference/world/world.ts'
import { lent } from '../bent/lent.ts'
import { anotherRegion, outsideProxy } from '../bent/surroundings.ts'
import type { Variant } from '../fault.ts'

const lookedUpFirst = ['path', 'found', 'key'] as const

const { apiKey } = makeWorld(1, { events: 0 })

/** As some lock an account: looked at before the key, and so for everybody. */
function lockedByKeys(): Variant {
  const locked = new Set<string>()
  return {
    name: 'a wrong key locks an assessment for everybody',
    refuses: true,
    open: {
      order: () => ['path', 'found', 'permission', 'key'],
      permits: ({ op, id, headers }) => {
        if (op === 'assessment.read' && headers.get('apikey') !== apiKey) locked.add(id)
        return !locked.has(id)
      },
    },
    warns: ['auth.before-lookup.*'],
  }
}

export const variants: Variant[] = [
  {
    name: 'an unknown id is 404 whatever the key',
    open: { order: () => [...lookedUpFirst] },
    warns: ['auth.before-lookup.*'],
  },
  {
    name: 'refusals without a body',
    open: { errorBody: () => ({ type: undefined, text: '' }) },
  },
  {
    name: 'refusals as HTML',
    open: { errorBody: () => ({ type: 'text/html', text: '<h1>no</h1>' }) },
    warns: ['*.read.error-is-json'],
  },
  {
    name: 'the key may not update',
    refuses: true,
    open: { permits: ({ op }) => !op.startsWith('assign.') },
  },
  {
    name: 'the key may not read tasks',
    refuses: true,
    open: { permits: ({ op }) => op !== 'task.read' },
  },
  {
    name: 'the key may only read tasks',
    refuses: true,
    open: { permits: ({ op }) => op === 'task.read' },
  },
  { name: 'reads lag behind updates', open: { readLag: () => 40 } },
  { name: 'the task is touched once more after an update', open: { laterTouches: () => [40] } },
  {
    name: 'unassigning the unassigned is refused',
    open: {
      stateRefusal: ({ op, task }) =>
        op === 'assign.unassign' && task.assignment === null ? 409 : undefined,
    },
  },
  {
    name: 'the version is compared before the key',
    open: { order: () => ['version', 'key'] },
    // Which of two mistakes is told first is not shown.
    warns: ['auth.invalid-besides.assign.*.status'],
  },
  {
    name: 'nobody that is configured is known to the service',
    refuses: true,
    held: () => null,
    open: { personIsTaken: () => false },
  },
  {
    name: 'another region and an allow list, both as they should be',
    open: { allowedAddresses: () => ['127.0.0.1'] },
    surroundings: async () => {
      const [region, proxy] = await Promise.all([anotherRegion({ sameKey: false }), outsideProxy()])
      const close = async () => void (await Promise.all([region.close(), proxy.close()]))
      return { env: { ...region.env, ...proxy.env }, close }
    },
  },
  lockedByKeys(),
  {
    name: 'nothing is lent but the key, and an unknown id is 404 whatever the key',
    surroundings: lent(
      () => ({}),
      () => {},
      { open: { order: () => [...lookedUpFirst] } },
    ),
  },
  {
    name: 'assessments alone are lent, and what the key may not do is answered 401',
    refuses: true,
    surroundings: lent(
      ({ ASSESSMENT_IDS }) => ({ ASSESSMENT_IDS }),
      () => {},
      {
        open: {
          order: () => ['path', 'key', 'permission'],
          permits: ({ op }) => op === 'export' || op === 'assessment.read',
          forbiddenStatus: () => 401,
        },
      },
    ),
  },
  { name: 'answers are compressed', open: { encoding: () => 'br' } },
]
