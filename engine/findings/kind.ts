/** What one kind makes of its findings. */
export type Kind<Finding> = {
  wordsOf(finding: Finding): Words
  /** left out: a reader compares what came */
  againOf?(finding: Finding): Again | undefined
}

/** What people read of a finding: the fact, then the expectation. */
export type Words = { sentence: string; expected: string; got: string }

/** How a script shows a breach again. */
export type Again = {
  /** the status that the judged request has to get */
  due?: DueStatus
  /** what the body of an answer shows if the statement is kept: all of them */
  signs?: readonly Sign[]
  /** what the file that comes shows if the statement is kept: all of them */
  file?: readonly FileSign[]
  /** why no script can show it */
  why?: string
}

/** The status that an answer has to have, or may not have. */
export type DueStatus = number | '2xx' | '4xx' | { not: number }

/** without `is`, a reader compares */
export type Sign = {
  member: string
  of?: 'read'
  is?: unknown
  anyCase?: true
  as?: 'before' | 'answer' | 'control'
  unlike?: 'before'
}

/** What a shell can check of a file. */
export type FileSign =
  /** it has a byte, begins with %PDF- behind blank lines, has it in its first KB, or %%EOF in its last KB */
  | 'filled'
  | '%PDF- first'
  | '%PDF-'
  | '%%EOF'
  | 'no NUL'
  /** it begins neither as JSON or HTML, nor as a PDF or an archive */
  | 'delimited text'
  /** more than half of its lines are not in the file of the control */
  | 'other lines'

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
