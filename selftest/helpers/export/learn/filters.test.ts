import { expect, test } from 'vitest'
import { asksFor, events, smallTrail } from '../small-trail.ts'

const sizesOf = (known: { value: string; events: Map<string, number> }[]) =>
  known.map(({ value, events }) => [value, events.size])

test('values of a field are known by the events that they give', async () => {
  const { filters } = smallTrail()
  expect(sizesOf(await filters.known('sub_type'))).toEqual([
    ['created', 24],
    ['updated', 24],
  ])
  expect(sizesOf(await filters.known('event_type'))).toEqual([
    ['type a', 16],
    ['type b', 16],
    ['type c', 16],
  ])
  expect(sizesOf(await filters.known('tag'))).toEqual([['vip', 10]])
})

test('a value that all events have, that none has, or that is refused tells nothing', async () => {
  const { filters } = smallTrail((query) => {
    if (asksFor(query, 'type a')) return { rows: events }
    if (asksFor(query, 'type b')) return { rows: [] }
    return asksFor(query, 'created') ? 400 : undefined
  })
  expect(sizesOf(await filters.known('event_type'))).toEqual([['type c', 16]])
  expect(sizesOf(await filters.known('sub_type'))).toEqual([['updated', 24]])
  await expect(filters.needKnown('system_source')).rejects.toThrow(
    'system_source: assessment_service, task_platform, type_a gave no event of the window, type a gave all events of the window',
  )
})
