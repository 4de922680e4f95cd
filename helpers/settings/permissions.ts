import { nearest } from '../../engine/nearest.ts'
import { either, type Parser, shown } from '../../engine/settings/parsers.ts'
import { operations } from '../service/operations.ts'

const names = Object.keys(operations)

/** Operations and ids of clauses, separated by commas. Whether an id exists is known once clauses load. */
export const notPermitted: Parser<string[]> = (text, reading) => {
  const items = text.split(/[\s,;]+/).filter(Boolean)
  const wrong = items.find((item) => !names.includes(item) && !/^[a-z]+(\.[\w-]+)+$/.test(item))
  if (wrong === undefined) return [...new Set(items)]
  const meant = nearest(wrong, names, 2)
  return reading.mistake(
    `contains ${shown(wrong, reading)}, which is not an operation; ` +
      (meant ? `did you mean ${meant}?` : `give ${either(names)}, or the id of a clause.`),
  )
}
