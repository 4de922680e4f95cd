import { nearest } from '../../engine/nearest.ts'
import {
  distinct,
  either,
  exampleId,
  isUuid,
  oneOf,
  type Parser,
  shown,
} from '../../engine/settings/parsers.ts'
import { describeFormerIds, isRetired } from '../contract/former-ids.ts'
import { declarableEncodings, encodings, isDeclarable } from '../contract/list-encodings.ts'
import { keyOf, metadataKeys } from '../contract/metadata-keys.ts'
import { operations } from '../contract/operations.ts'

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
        `contains ${shown(item, reading)}; ` +
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
        `contains ${shown(item, reading)}; give pairs like ${keyOf.tag}=vip, separated by commas, ` +
          `with one of the keys ${either(metadataKeys)}.`,
      )
    values[key] = distinct([...(values[key] ?? []), value])
  }
  return values
}

const declarable = oneOf('auto', ...declarableEncodings)

const onlyFound: readonly string[] = encodings.filter((name) => !isDeclarable(name))

/** How lists are written; the rarer forms are found, not declared. */
export const arrayEncoding: typeof declarable = (text, reading) =>
  onlyFound.includes(text.toLowerCase())
    ? reading.mistake(`is ${shown(text, reading)}; give auto, which finds this form.`)
    : declarable(text, reading)

const fieldName = /^[\w!#$%&'*+.^`|~-]+$/

/** The name of a header, in lower case as in responses. */
export const headerName: Parser<string> = (text, reading) =>
  fieldName.test(text)
    ? text.toLowerCase()
    : reading.mistake(
        `is ${shown(text, reading)}, which is not the name of a header; give a name like x-revision.`,
      )

const taken =
  /^(apikey|accept|accept-encoding|user-agent|if-match|traceparent|host|connection|content-.*|transfer-encoding)$/

/** Headers: `name=value`, separated by commas. No message shows a value. */
export const headers: Parser<Record<string, string>> = (text, reading) => {
  const given: Record<string, string> = {}
  for (const { key, value } of pairsOf(text, /,/)) {
    const name = key.toLowerCase()
    const decoded = value.replaceAll(/%2C/gi, ',')
    if (!fieldName.test(name) || !/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(decoded))
      return reading.mistake(
        'contains something that is not a header; give pairs like x-gateway-key=value, separated by commas.',
      )
    if (taken.test(name))
      return reading.mistake(`names ${name}, which the suite sets itself; leave it out.`)
    given[name] = decoded
  }
  return given
}

const names = Object.keys(operations)

/** Operations and ids of clauses, separated by commas. Whether an id exists is known once clauses load. */
export const notPermitted: Parser<string[]> = (text, reading) => {
  const items = text.split(/[\s,;]+/).filter(Boolean)
  const wrong = items.find((item) => !names.includes(item) && !/^[a-z]+(\.[\w-]+)+$/.test(item))
  const retired = items.filter(isRetired)
  if (retired.length > 0)
    return reading.mistake(`contains ${describeFormerIds(retired).join('; ')}; leave it out.`)
  if (wrong === undefined) return [...new Set(items)]
  const meant = nearest(wrong, names, 2)
  return reading.mistake(
    `contains ${shown(wrong, reading)}, which is not an operation; ` +
      (meant ? `did you mean ${meant}?` : `give ${either(names)}, or the id of a clause.`),
  )
}
