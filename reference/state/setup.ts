import type { Mailer } from '../calls/mail.ts'
import type { Open } from '../rules/open.ts'
import type { Stated } from '../rules/stated.ts'
import type { Store } from '../world/store.ts'
import type { World } from '../world/world.ts'
import type { Trail } from './trail.ts'

/** What the service stands on: its world, its two tables of rules, its state, its clock. */
export type Setup = {
  world: World
  stated: Stated
  open: Open
  store: Store
  trail: Trail
  mailer: Mailer
  /** the most events that a PDF holds */
  pdfLimit: number
  /** milliseconds since 1970, fractions allowed */
  clock: () => number
}
