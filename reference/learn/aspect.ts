import type { Open } from '../rules/open.ts'
import type { World } from '../world/world.ts'

export type Shape<T> = (value: unknown) => value is T

export const json = (value: unknown): value is unknown => value !== undefined
export const text: Shape<string> = (value) => typeof value === 'string'
export const flag: Shape<boolean> = (value) => typeof value === 'boolean'
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function integer(least: number, most: number): Shape<number> {
  return (value): value is number =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
}
export const success = integer(200, 299)
export const refusal = integer(400, 599)
export const count = integer(0, 200)

export function like(pattern: RegExp): Shape<string> {
  return (value): value is string => text(value) && pattern.test(value)
}
export const headerText = like(/^[\x20-\x7e]+$/)

export function word<const W>(...words: readonly W[]): Shape<W> {
  return (value): value is W => words.some((each) => each === value)
}

export function either<A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> {
  return (value): value is A | B => one(value) || other(value)
}

export function list<T>(item: Shape<T>): Shape<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every((each) => item(each))
}

export function each<T>(member: Shape<T>): Shape<Record<string, T>> {
  return (value): value is Record<string, T> =>
    isObject(value) && Object.values(value).every((each) => member(each))
}

/** An object with no members but these, all optional. */
export function object<T>(members: { [K in keyof T]: Shape<T[K]> }): Shape<Partial<T>> {
  const isMember = ([name, value]: [string, unknown]) =>
    Object.hasOwn(members, name) && members[name as keyof T](value)
  return (value): value is Partial<T> => isObject(value) && Object.entries(value).every(isMember)
}

/** The same value under each of these names. */
export const same = <K extends string, T>(names: readonly K[], thing: T) =>
  Object.fromEntries(names.map((name) => [name, thing])) as Record<K, T>

/** Collects remarks for the user. */
export type Say = {
  /** the value of a clause is imitated only in part or not at all */
  note(id: string, why: string): void
  /** the report does not show this */
  assume(sentence: string): void
  /** returns the first of several values, and notes that there are others */
  first<T>(id: string, values?: readonly T[]): T | undefined
}

/** Rules that follow from observed values of some clauses. */
export type Aspect = {
  /** the clauses by id, each with the shape of the values that can be imitated */
  of: Readonly<Record<string, Shape<unknown>>>
  /** gets those values that are present and of that shape */
  rule(seen: Readonly<Record<string, unknown>>, say: Say, world: World): Partial<Open>
}

export const aspect = <O>(
  of: { [K in keyof O]: Shape<O[K]> },
  rule: (seen: Readonly<Partial<O>>, say: Say, world: World) => Partial<Open>,
) => ({ of, rule }) as unknown as Aspect

export const one = <T>(
  id: string,
  shape: Shape<T>,
  rule: (value: T, say: Say, world: World) => Partial<Open>,
): Aspect => ({ of: { [id]: shape }, rule: (seen, ...more) => rule(seen[id] as T, ...more) })
