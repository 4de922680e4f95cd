import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/http/answers.ts'
import { fieldsWith } from '../contract/fields.ts'
import { isSameId } from './ids.ts'

/** Fields besides the assignment that neither count nor lock anything. */
export const otherFields = fieldsWith('task', ({ kept }) => kept)

type Fields = Readonly<Record<string, unknown>>

/** The names of the other fields that differ between two looks at a task. */
export const changesBetween = (before: Fields, after: Fields): string[] =>
  otherFields.filter((field) => isChanged(field, before[field], after[field]))

/** An empty object and null say the same of metadata. */
const filled = (value: unknown) =>
  isObject(value) && Object.keys(value).length === 0 ? null : (value ?? null)

/** ignores the letter case of ids */
export const isKept = (before: unknown, after: unknown): boolean =>
  isDeepStrictEqual(filled(before), filled(after)) ||
  (typeof before === 'string' && isSameId(before, after))

/**
 * Over a longer time others may write metadata, for example notes of rejected attempts: only losing all of it
 * counts.
 */
export const isChanged = (field: string, before: unknown, after: unknown): boolean =>
  field === 'custom_metadata'
    ? filled(before) !== null && filled(after) === null
    : !isKept(before, after)
