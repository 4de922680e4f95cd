import type { Symptom } from './symptom.ts'

/** What one kind makes of its findings. */
export type Kind<Finding> = {
  wordsOf(finding: Finding): Words
  /** the most telling first; left out: reports know this kind */
  symptomsOf?(finding: Finding): readonly Symptom[]
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
  /** a moment decides: a script that only reads tries up to three times */
  isOfMoment?: true
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

/** What a shell can check of the judged file: of its form, or by texts such as ids. */
export type FileSign = FormSign | TextSign | PartSign | NumberSign

export type FormSign =
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
  /** its text can be read */
  | 'readable PDF'
  /** its first line is in it once, or is the first line of the file of the control */
  | 'first line once'
  | 'same first line'
  /** each id in the file of the control is in it */
  | 'ids of control'
  /** quotes come in pairs, and only around whole cells */
  | 'paired quotes'
  /** it begins and ends as JSON does */
  | 'whole JSON'

type TextSign =
  | { kind: 'has' | 'lacks' | 'has once'; text: string }
  /** without it, nothing is decided */
  | { kind: 'needs'; text: string }
  /** an id that it has; if no file of the controls has it either, nothing is decided */
  | { kind: 'has event'; text: string }
  /** a cell of its first lines, where the header row is */
  | { kind: 'title'; text: string }
  /** the line that shows the first one shows the second one */
  | { kind: 'line'; text: string; shows: string }
  /** the line that shows it is the same in the file of the control */
  | { kind: 'same line'; text: string }

/** Of the files of several requests, such as those of a range and of its parts. */
type PartSign =
  /** one of the judged files has it, if one of the controls has it, and the other way round */
  | { kind: 'in both'; text: string }
  /** one of the judged files has it at most */
  | { kind: 'in one'; text: string }
  /** not in more lines than the files of the controls together, or not in fewer than each of them */
  | { kind: 'in parts' | 'in whole'; text: string }

/** How many records it has more than the file of the control: at least and at most. */
type NumberSign = { kind: 'records'; least?: number; most?: number }

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
