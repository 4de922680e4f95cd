import { wordsOf } from '../../engine/word-list.ts'

export const encodings = wordsOf('repeat brackets indices comma pipe semicolon space json')

export type Encoding = (typeof encodings)[number]

export function encodeList(name: string, values: readonly string[], encoding: Encoding): string[] {
  switch (encoding) {
    case 'repeat':
      return values.map((value) => pair(name, value))
    case 'brackets':
      return values.map((value) => pair(`${name}[]`, value))
    case 'indices':
      return values.map((value, at) => pair(`${name}[${at}]`, value))
    case 'comma':
      return values.length === 0 ? [] : [`${name}=${values.map(encodeURIComponent).join(',')}`]
    case 'json':
      return values.length === 0 ? [] : [pair(name, JSON.stringify(values))]
    default:
      return values.length === 0 ? [] : [pair(name, values.join(separators[encoding]))]
  }
}

const separators = { pipe: '|', semicolon: ';', space: ' ' }

// Brackets stay unencoded, as the contract writes metadata[<key>].
export const pair = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`
