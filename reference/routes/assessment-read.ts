import type { Call } from '../calls/call.ts'
import type { Setup } from '../state/setup.ts'
import type { Assessment } from '../world/world.ts'
import { refuse, succeed } from './answer.ts'
import { checksOf, firstRefusal } from './checks.ts'
import { show } from './show.ts'

/** GET /assessments/{assessment_id} */
export function readAssessment(setup: Setup, call: Call): Response {
  const { stated, world } = setup
  const found = stated.assessmentFor({ ...call, assessments: world.assessments })
  const refusal = firstRefusal(setup, call, checksOf(setup, call, found, 'Not Found'))
  if (refusal) return refuse(setup, call, refusal, found)
  return succeed(setup, call, show(setup, call, 'assessment', found as Assessment))
}
