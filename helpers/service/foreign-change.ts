import { Trouble } from '../../engine/outcome.ts'

/** Ends a clause where what reads show is another writer's work: nothing is held against anybody. */
export class ForeignChange extends Trouble {
  constructor() {
    super('somebody else changed the task meanwhile')
  }
}
