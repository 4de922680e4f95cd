import type { LearnedWindow } from '../../helpers/history/settle-window.ts'
import type { RunNews } from '../../helpers/run.ts'
import type { Contact } from './first-contact.ts'

/** What a report needs of the news that come while clauses run. */
export class RunNotes {
  requests: number
  learned: LearnedWindow | undefined
  /** tasks that took an update to put back, and those that are not known to be put back */
  readonly putBack = new Set<string>()
  readonly unsure = new Set<string>()
  /** tasks whose reads returned a replaced version for longer than SETTLE_MS */
  readonly lagging = new Set<string>()
  readonly #ahead: Contact['ahead']

  constructor({ requests, ahead }: Contact) {
    this.requests = requests
    this.#ahead = ahead
  }

  note(news: RunNews): void {
    if ('learned' in news) {
      this.learned ??= news.learned
      return
    }
    if ('ahead' in news) {
      Object.assign(this.#ahead, news.ahead)
      return
    }
    if ('lagging' in news) {
      this.lagging.add(news.lagging)
      return
    }
    const { task, put, sure } = news.returned
    if (put) this.putBack.add(task)
    if (!sure) this.unsure.add(task)
  }
}
