import {
  distinct,
  either,
  exampleId,
  isUuid,
  type Parser,
  shown,
} from '../../engine/settings/parsers.ts'
import { metadataKeys } from '../service/operations.ts'

type Pair = { item: string; key: string; value: string }

const pairsOf = (text: string, separator: RegExp): Pair[] =>
  text
    .split(separator)
    .map((item) => item.trim())
    .filter(Boolean)
    .map((item) => {
      const at = item.indexOf('=')
      if (at < 0) return { item, key: item, value: '' }
      return { item, key: item.slice(0, at).trim(), value: item.slice(at + 1).trim() }
    })

/** Mail addresses by id: `id=address;address`, pairs separated by commas or spaces. */
export const mails: Parser<Record<string, string[]>> = (text, reading) => {
  const addresses: Record<string, string[]> = {}
  for (const { item, key, value } of pairsOf(text, /[\s,]+/)) {
    const given = value.split(';').filter(Boolean)
    if (!isUuid(key) || given.length === 0 || !given.every((one) => /^[^@]+@[^@]+$/.test(one)))
      return reading.mistake(
        `holds ${shown(item, reading)}; ` +
          `give pairs like ${exampleId}=ada@example.com;bob@example.com, separated by commas.`,
      )
    addresses[key] = distinct([...(addresses[key] ?? []), ...given])
  }
  return addresses
}

/** Known metadata values by key: `key=value`, pairs separated by commas; a key may repeat. */
export const metadata: Parser<Record<string, string[]>> = (text, reading) => {
  const values: Record<string, string[]> = {}
  for (const { item, key, value } of pairsOf(text, /,/)) {
    if (!metadataKeys.some((known) => known === key) || value === '')
      return reading.mistake(
        `holds ${shown(item, reading)}; give pairs like tag=vip, separated by commas, ` +
          `with one of the keys ${either(metadataKeys)}.`,
      )
    values[key] = [...new Set([...(values[key] ?? []), value])]
  }
  return values
}
