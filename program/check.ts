import type { Check } from './check-service.ts'
import { readFlags } from './input/read-flags.ts'
import type { Checked } from './report/finish.ts'

export type { Check } from './check-service.ts'

export async function check(call: Check): Promise<Checked> {
  const flags = readFlags('check', call)
  // Loaded here: a plan needs a fraction of what a run loads.
  if (flags.plan) return { exitCode: (await import('./plan.ts')).showPlan(call, flags) }
  const { checkService } = await import('./check-service.ts')
  return checkService(call, flags)
}
