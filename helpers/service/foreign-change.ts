import { Trouble } from '../../engine/outcome.ts'
import type { Assignment } from './answers.ts'
import { ownComment } from './comments.ts'

type Shown = Pick<Assignment, 'assignment_comment'> | null | undefined

/** Ends a clause where what reads show is another writer's work: nothing is held against anybody. */
export class ForeignChange extends Trouble {
  constructor(seen?: Shown) {
    super(`${writerOf(seen)} changed the task meanwhile`)
  }
}

/** Comments of this run are never another's: a task shows them where we sent them. */
const writerOf = (seen: Shown): string =>
  ownComment.test(seen?.assignment_comment ?? '')
    ? 'another run of this suite, told by its comment,'
    : 'somebody else'
