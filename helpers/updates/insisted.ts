import type { Answer } from '../../engine/http/client.ts'
import { FateUnknown } from '../../engine/http/fate-unknown.ts'
import { Trouble } from '../../engine/outcome.ts'

const tries = 3

/**
 * Sends what is meant to be refused, and so may be sent again, until it is answered. A failure that
 * comes every time is named with the condition under which it comes.
 */
export async function insisted(send: () => Promise<Answer>, condition: string): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      // All else the client has tried again by itself, or it is the end of the run.
      if (!(error instanceof FateUnknown)) throw error
      if (attempt === tries)
        throw new Trouble(`${tries} of ${tries} updates ${condition} failed: ${error.message}`)
    }
  }
}
