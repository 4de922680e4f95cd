/** What one process of vitest is asked to do; it is read from the variable SITE_TESTS. */
export type Order = {
  files: string[]
  /** the site that is off */
  off?: string | undefined
}

/** How a file of tests ended, and what sites did in it. */
export type Ended = {
  file: string
  /** the first test that is red */
  red?: string | undefined
  spoke: string[]
  silenced: boolean
  seconds: number
}

export const mark = '@site '

/** Where a process keeps what its threads share, when tests are run with a site off. */
export const sharedSites = 'sites'
