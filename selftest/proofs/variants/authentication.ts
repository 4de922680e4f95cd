import { makeWorld } from '../../../reference/world/world.ts'
import { lent } from '../bent/lent.ts'
import { atOtherPaths, withPageFor } from '../bent/on-the-way.ts'
import { anotherRegion, outsideProxy } from '../bent/surroundings.ts'
import { type Variant, variant, variantsNamed } from '../fault.ts'

const lookedUpFirst = ['path', 'found', 'key'] as const

const { apiKey } = makeWorld(1, { events: 0 })

const ownPath =
  /^\/v5\/((tasks|assessments)\/[\w-]+(\/update-assignment)?|audit-sentinel\/events\/export)$/

/** As some lock an account: looked at before the key, and so for everybody. */
function lockedByKeys(): Variant {
  const locked = new Set<string>()
  return variant('a wrong key locks an assessment for everybody', {
    refuses: true,
    order: () => ['path', 'found', 'permission', 'key'],
    permits: ({ op, id, headers }) => {
      if (op === 'assessment.read' && headers.get('apikey') !== apiKey) locked.add(id)
      return !locked.has(id)
    },
    warns: 'auth.before-lookup.*',
  })
}

export const variants: Variant[] = [
  ...variantsNamed({
    'an unknown id is 404 whatever the key': {
      order: () => [...lookedUpFirst],
      warns: 'auth.before-lookup.*',
    },
    'refusals without a body': { errorBody: () => ({ type: undefined, text: '' }) },
    'refusals as HTML': {
      errorBody: () => ({ type: 'text/html', text: '<h1>no</h1>' }),
    },
    'the key may not update': { refuses: true, permits: ({ op }) => !op.startsWith('assign.') },
    'the key may not read tasks': { refuses: true, permits: ({ op }) => op !== 'task.read' },
    'the key may only read tasks': { refuses: true, permits: ({ op }) => op === 'task.read' },
    'reads lag behind updates': { readLag: () => 40 },
    'the task is touched once more after an update': { laterTouches: () => [40] },
    'unassigning the unassigned is refused': {
      stateRefusal: ({ op, task }) =>
        op === 'assign.unassign' && task.assignment === null ? 409 : undefined,
    },
    'the version is compared before the key': {
      order: () => ['version', 'key'],
      // Which of two mistakes is reported first is not shown.
      warns: 'auth.invalid-besides.assign.*.status',
    },
    'nobody that is configured is known to the service': {
      refuses: true,
      held: () => null,
      personIsTaken: () => false,
    },
    'another region and an allow list, both as they should be': {
      allowedAddresses: () => ['127.0.0.1'],
      surroundings: async () => {
        const [region, proxy] = await Promise.all([
          anotherRegion({ sameKey: false }),
          outsideProxy(),
        ])
        const close = async () => void (await Promise.all([region.close(), proxy.close()]))
        return { env: { ...region.env, ...proxy.env }, close }
      },
    },
  }),
  lockedByKeys(),
  ...variantsNamed({
    'nothing is lent but the key, and an unknown id is 404 whatever the key': {
      surroundings: lent(
        () => ({}),
        () => {},
        { open: { order: () => [...lookedUpFirst] } },
      ),
    },
    'assessments alone are lent, and what the key may not do is answered 401': {
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
    'answers are compressed': { encoding: () => 'br' },
    'operations are found at other paths too, and the key is looked at there': {
      front: atOtherPaths((path) =>
        path
          .replaceAll('//', '/')
          .replace(/(\.json|;.*|\/)$/, '')
          .replaceAll('%61', 'a')
          .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
      ),
    },
    'a page is given for any other path, whatever the key': {
      front: withPageFor((path) => !ownPath.test(path), 200),
    },
    'any other path is answered with a redirect, whatever the key': {
      front: withPageFor((path) => !ownPath.test(path), 308),
    },
  }),
]
