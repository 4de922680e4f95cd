import { nameInCode } from '../../engine/settings/table.ts'
import type { Resource } from '../contract/fields.ts'
import { idSettingsOf } from '../contract/operations.ts'

/** The ids that a setting names. */
export const idsNamedIn = (name: string, settings: object): string[] =>
  (settings as Record<string, string[] | undefined>)[nameInCode(name)] ?? []

/** The ids that the settings name of a resource. */
export const idsOf = (resource: Resource, settings: object): string[] =>
  idSettingsOf(resource).flatMap((name) => idsNamedIn(name, settings))
