import type { File, Suite, Task } from '@vitest/runner'
import { VitestTestRunner } from 'vitest/runners'
import { randomFor } from '../../engine/random.ts'

/** Begins the clauses in an order that the seed draws: vitest itself shuffles none that run at once. */
export default class ShufflingRunner extends VitestTestRunner {
  onCollected(files: File[]): void {
    const { helpers } = randomFor(this.config.sequence.seed, 'order')
    const shuffle = (suite: Suite): void => {
      suite.tasks = helpers.shuffle(suite.tasks)
      for (const task of suite.tasks) if (isSuite(task)) shuffle(task)
    }
    for (const file of files) shuffle(file)
  }
}

const isSuite = (task: Task): task is Suite => task.type === 'suite'
