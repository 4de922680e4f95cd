import { type Encoding, listEncodings } from '../contract/list-encodings.ts'

export function encodeList(name: string, values: readonly string[], encoding: Encoding): string[] {
  switch (encoding) {
    case 'repeat':
      return values.map((value) => pair(name, value))
    case 'brackets':
      return values.map((value) => pair(`${name}[]`, value))
    case 'indices':
      return values.map((value, at) => pair(`${name}[${at}]`, value))
    case 'comma':
      return values.length === 0
        ? []
        : [`${name}=${joined(values.map(encodeURIComponent), encoding)}`]
    case 'json':
      return values.length === 0 ? [] : [pair(name, JSON.stringify(values))]
    default:
      return values.length === 0 ? [] : [pair(name, joined(values, encoding))]
  }
}

type Separated = 'comma' | 'pipe' | 'semicolon' | 'space'

const joined = (values: readonly string[], encoding: Separated): string =>
  values.join(listEncodings[encoding].separator)

// Brackets in a name stay unencoded, as the contract writes metadata[<key>].
export const pair = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`
