import { Trouble } from '../outcome.ts'

/** An update was sent and may have been accepted: read before acting. */
export class FateUnknown extends Trouble {
  override name = 'FateUnknown'
}
