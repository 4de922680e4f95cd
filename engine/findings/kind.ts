/** What one kind makes of its findings. */
export type Kind<Finding> = {
  wordsOf(finding: Finding): Words
}

/** What people read of a finding: the fact, then the expectation. */
export type Words = { sentence: string; expected: string; got: string }

/** For people alone, at four places of a sentence. No code reads it. */
export type Context = {
  /** begins it: "the key in another case: GET …" */
  what?: string | undefined
  /** behind the fact: "…, to a request without a key" */
  to?: string | undefined
  /** ends it: "…, although the CSV is accepted" */
  although?: string | undefined
  /** further lines */
  more?: string | undefined
}

/** The status that an answer has to have. */
export type DueStatus = number | '2xx' | '4xx'
