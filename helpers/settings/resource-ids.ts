import { nameInCode } from '../../engine/settings/table.ts'
import type { Resource } from '../contract/fields.ts'
import { idSettingsOf } from '../contract/operations.ts'
import type { Settings } from './table.ts'

type Values = Partial<Settings>

/** The ids that a setting names. */
export const idsNamedIn = (name: string, values: Values): string[] =>
  values[nameInCode(name) as 'taskIds'] ?? []

/** The ids that the settings name of a resource. */
export const idsOf = (resource: Resource, values: Values): string[] =>
  idSettingsOf(resource).flatMap((name) => idsNamedIn(name, values))
