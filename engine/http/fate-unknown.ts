import { Trouble } from '../outcome.ts'

/** A request that changes something was sent and may have been carried out: read before acting. */
export class FateUnknown extends Trouble {
  override name = 'FateUnknown'
}
