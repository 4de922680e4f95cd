/** The words every list of operators is written in. */
export type Operation =
  | 'task.read'
  | 'assign.update'
  | 'assign.unassign'
  | 'assessment.read'
  | 'export.csv'
  | 'export.pdf'

export const operations: readonly Operation[] = [
  'task.read',
  'assign.update',
  'assign.unassign',
  'assessment.read',
  'export.csv',
  'export.pdf',
]

/** A request as the proxy holds it; header names are in lower case. */
export type Asked = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An answer as the proxy holds it; header names are in lower case. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A mail on its way, as far as an operator looks at it. */
export type Letter = {
  readonly to: { name: string; mail: string }[]
  readonly text: string
  readonly html: string
}

/** The road to the service: `send` asks it, `kept` is what the operator keeps between requests. */
export type Road = {
  send(asked: Asked): Promise<Answer>
  readonly kept: Map<string, Answer | string>
  readonly apikey: string
}

/**
 * `undefined` means that there was nothing here to change. An exchange may see the requests of one
 * other operation as well (`also`).
 */
export type Change =
  | { readonly to: 'answer'; readonly with: 'success' | number; by(answer: Answer): AnswerOrNot }
  | { readonly to: 'request'; by(asked: Asked): Asked | undefined }
  | {
      readonly to: 'exchange'
      readonly also?: Operation
      by(asked: Asked, road: Road): AnswerOrNot
    }
  | { readonly to: 'limit'; by(limit: number): number }
  | { readonly to: 'mail'; by(letter: Letter, before: readonly Letter[]): readonly Letter[] }
type AnswerOrNot = Answer | undefined | Promise<Answer | undefined>

export type Operator = {
  readonly id: string
  readonly family: string
  readonly operation: Operation
  readonly what: string
  readonly change: Change
}

/** The id of an operator is its operation, its family and the part it touches. */
export const operator = (
  operation: Operation,
  family: string,
  part: string,
  what: string,
  change: Change,
): Operator => ({ id: `${operation}/${family}/${part}`, family, operation, what, change })

export const onSuccess = (by: (answer: Answer) => AnswerOrNot): Change => ({
  to: 'answer',
  with: 'success',
  by,
})

export const textOf = (answer: Answer) => new TextDecoder().decode(answer.body)
export const bytesOf = (text: string) => new TextEncoder().encode(text)
export const withText = (answer: Answer, text: string): Answer => ({
  ...answer,
  body: bytesOf(text),
})
export const withHeader = (answer: Answer, name: string, value?: string): Answer => {
  const { [name]: _, ...headers } = answer.headers
  return { ...answer, headers: value === undefined ? headers : { ...headers, [name]: value } }
}
