import { createHash } from 'node:crypto'
import type { Faker } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'

// The package's main entry loads every language, which takes longer than making a world.
const FakerOf = english.constructor as new (options: object) => Faker

/** The random streams of a seed; deterministic by seed and name. */
export type Streams = ReturnType<typeof createStreams>

/** How the value of a field is made: from its stream, the row's number or what else is given, and the fields before it. */
export type Make<Row, Value, Given = number> = (
  stream: () => Faker,
  given: Given,
  row: Partial<Row>,
) => Value

/** How the rows of a resource are made. */
export type Table<Row, Given = number> = {
  name: string
  fields: { [Field in keyof Row]: Make<Row, Row[Field], Given> }
  /** These fields share the first stream, in this order, and so keep the values that they have always had. */
  inTurn: readonly (keyof Row)[]
}

export function createStreams(seed: number) {
  const streams = new Map<string, Faker>()
  return {
    first: fakerOf(seed),
    /** the stream that only what has this name draws from */
    of(name: string): Faker {
      const stream = streams.get(name) ?? fakerOf(seedOf(seed, name))
      streams.set(name, stream)
      return stream
    },
  }
}

const fakerOf = (seed: number): Faker => new FakerOf({ locale: english.rawDefinitions, seed })

const seedOf = (seed: number, name: string): number =>
  createHash('sha256').update(`${seed} ${name}`).digest().readUInt32LE(0)

/** Makes rows of a table. A field that is not in turn has a stream of its own: adding one moves no other value. */
export function rowMaker<Row extends object, Given>(table: Table<Row, Given>, streams: Streams) {
  const { name, fields, inTurn } = table
  const all = Object.keys(fields) as (keyof Row & string)[]
  const others = all.filter((field) => !inTurn.includes(field))
  const empty = Object.fromEntries(all.map((field) => [field, undefined]))
  return (given: Given): Row => {
    const row = { ...empty } as Partial<Row>
    for (const field of inTurn) row[field] = fields[field](() => streams.first, given, row)
    for (const field of others)
      row[field] = fields[field](() => streams.of(`${name}.${field}`), given, row)
    return row as Row
  }
}
