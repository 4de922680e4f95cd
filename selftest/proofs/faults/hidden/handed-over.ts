import { lent } from '../../bent/lent.ts'
import { type Hidden, hiddenNamed } from '../../fault.ts'

/** An id that nothing has. */
const nobodys = (first: string) => `${first}0000000-0000-4000-8000-00000000abcd`

/** What is handed over does not exist, or is too little for what is declared. */
export const handedOver: Hidden[] = hiddenNamed({
  'of the ids that are handed over some do not exist': {
    surroundings: lent((all) => ({
      ...all,
      TASK_IDS: nobodys('a'),
      READ_TASK_IDS: [nobodys('b'), ...all.READ_TASK_IDS.split(',').slice(0, 2)].join(),
      ASSESSMENT_IDS: [nobodys('c'), all.ASSESSMENT_IDS].join(),
    })),
  },
  'of the tasks that are handed over none exists': {
    surroundings: lent(({ READ_TASK_IDS: _, ...others }) => ({
      ...others,
      TASK_IDS: nobodys('a'),
    })),
  },
  'of the tasks that are handed over none is assigned, and the key may not unassign': {
    surroundings: lent(
      (all) => ({ ...all, NOT_PERMITTED: 'assign.unassign' }),
      ({ tasks }) => {
        for (const task of tasks) task.assignment = null
      },
    ),
  },
})
