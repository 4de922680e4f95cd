import type { Mailer } from '../calls/mail.ts'
import type { Open } from '../rules/open.ts'
import type { Stated } from '../rules/stated.ts'
import type { Store } from '../world/store.ts'
import type { World } from '../world/world.ts'
import type { Trail } from './trail.ts'

/** Everything a request needs: the world, the two tables of rules, the state, the clock. */
export type Setup = {
  world: World
  stated: Stated
  open: Open
  store: Store
  trail: Trail
  /** receives the mails about assignments */
  mailer: Mailer
  /** the most events in a PDF */
  pdfLimit: number
  /** milliseconds since 1970, with fractions */
  clock: () => number
}
