import { expect, test } from 'vitest'
import { operationsIn } from '../../../helpers/service/owners.ts'
import { unassignBody, updateBody } from '../../../helpers/service/update-request.ts'

// biome-ignore format: one request a line
test.each<[string, object | undefined, string[]]>([
  ['/tasks/1', undefined, ['task.read']],
  ['/assessments/1', undefined, ['assessment.read']],
  ['/exports?file_type=pdf', undefined, []],
  ['/exports?file_type=csv', undefined, ['export']],
  ['/exports', undefined, ['export']],
  ['/tasks/1/update-assignment', updateBody('a', { id: 'b', type: 'USER' }), ['assign.update']],
  ['/tasks/1/update-assignment', unassignBody('a'), ['assign.unassign']],
])('what to declare if %s with %j may not be used', (path, body, operations) => {
  const method = body ? 'PUT' : 'GET'
  expect(operationsIn({ method, path, sent: JSON.stringify(body) })).toEqual(operations)
})
