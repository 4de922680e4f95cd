/**
 * What became of an id that clauses had: the same clause has the id `replacedBy` now, or it is retired. `why` follows a
 * colon.
 */
type FormerId = { since: string; replacedBy?: string; why: string }

export const formerIds: Record<string, FormerId> = {
  'export.csv.one-encoding': {
    since: '0.2',
    why: 'export.csv.well-formed asks for one encoding',
  },
}

export const formerIdOf = (id: string): FormerId | undefined =>
  Object.hasOwn(formerIds, id) ? formerIds[id] : undefined

/** The id that the clause has now. */
export const presentId = (id: string): string => formerIdOf(id)?.replacedBy ?? id

export const isRetired = (id: string): boolean => {
  const former = formerIdOf(id)
  return former !== undefined && former.replacedBy === undefined
}

/** A sentence for each of these ids that no clause has any more. */
export const describeFormerIds = (ids: readonly string[]): string[] =>
  ids.flatMap((id) => {
    const former = formerIdOf(id)
    return former ? [`${id} ${becameOf(former)}`] : []
  })

/** The end of a sentence about the id. */
export function becameOf({ since, replacedBy, why }: FormerId): string {
  const fate = replacedBy === undefined ? 'is retired' : `is called ${replacedBy}`
  return `${fate} since ${since}: ${why}`
}
