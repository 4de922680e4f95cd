import { join } from 'node:path'
import type { Contract } from '../../../engine/run/contract.ts'
import { address, key, type Parser } from '../../../engine/settings/parsers.ts'
import type { SettingsOf, Table } from '../../../engine/settings/table.ts'

const word: Parser<string> = (text, { mistake }) =>
  /^\w+$/.test(text) ? text : mistake(`is '${text}', which is not a word; give one, such as desk.`)

/** The settings of the toy's suite; LAMP is its own. */
export const table = {
  BASE_URL: {
    meaning: 'base of the lamps',
    example: 'http://localhost:1',
    kind: address('http://localhost:1'),
  },
  API_KEY: { meaning: 'the key of the lamps', example: 'secret', kind: key },
  LAMP: { meaning: 'a lamp that may be switched', example: 'desk', kind: word, default: 'desk' },
} satisfies Table

export type ToySettings = SettingsOf<typeof table>

export const contract: Contract = {
  entry: join(import.meta.dirname, 'clauses.ts'),
  operations: { read: { title: 'Look at a lamp' }, switch: { title: 'Switch a lamp' } },
  sentences: {
    Lamps: [
      { says: 'A lamp is on or off.', clauses: ['lamp.read'] },
      { says: 'A lamp that is switched stays so.', clauses: ['lamp.switch'] },
      { says: 'Colours: not shown.', clauses: ['lamp.colour'] },
      { says: 'Lamps last for years.', unchecked: 'nobody can wait for that' },
    ],
    Keys: [{ says: 'A request without the key is answered 401.', clauses: ['lamp.key'] }],
  },
}
