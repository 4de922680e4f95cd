type Row = {
  /** ARRAY_ENCODING may name it */
  declarable?: true
  /** a list of one value differs from one in the encodings before it */
  telling?: true
  /** stands between the values */
  separator?: string
}

/** The contract does not show how a list is written: these encodings are usual, and a service may have any of them. */
export const listEncodings = {
  repeat: { declarable: true, telling: true },
  brackets: { declarable: true, telling: true },
  indices: { declarable: true, telling: true },
  comma: { declarable: true, separator: ',' },
  pipe: { separator: '|' },
  semicolon: { separator: ';' },
  space: { separator: ' ' },
  json: { telling: true },
} as const satisfies Record<string, Row>

type Rows = typeof listEncodings

export type Encoding = keyof Rows

type Declarable = {
  [Name in Encoding]: Rows[Name] extends { declarable: true } ? Name : never
}[Encoding]

export const encodings = Object.keys(listEncodings) as Encoding[]

export const isDeclarable = (name: Encoding): name is Declarable =>
  'declarable' in listEncodings[name]

export const declarableEncodings = encodings.filter(isDeclarable)

/** For a list of one value, the others look like the first of these. */
export const tellingEncodings = encodings.filter((name) => 'telling' in listEncodings[name])
