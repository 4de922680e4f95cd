import {
  changeJson,
  changeMember,
  isMembers,
  type Json,
  type Members,
  otherwise,
  retyped,
  swapMembers,
} from './json.ts'
import { type Operation, type Operator, onSuccess, operator, textOf, withText } from './operator.ts'

const one = (
  operation: Operation,
  family: string,
  path: string,
  what: string,
  by: (value: Json) => Json | undefined,
): Operator =>
  operator(
    operation,
    family,
    path,
    what,
    onSuccess((answer) => changeJson(answer, (members) => changeMember(members, path, by))),
  )

export const drop = (operation: Operation, paths: readonly string[]) =>
  paths.map((path) => one(operation, 'drop', path, `leaves out ${path}`, () => undefined))
export const toNull = (operation: Operation, paths: readonly string[]) =>
  paths.map((path) => one(operation, 'null', path, `gives ${path} as null`, () => null))
export const retype = (operation: Operation, paths: readonly string[]) =>
  paths.map((path) => one(operation, 'retype', path, `gives ${path} in another type`, retyped))
export const other = (operation: Operation, paths: readonly string[]) =>
  paths.map((path) => one(operation, 'other', path, `gives another value as ${path}`, otherwise))
export const empty = (operation: Operation, paths: readonly string[]) =>
  paths.map((path) =>
    one(operation, 'empty', path, `gives ${path} as an empty value`, (value) =>
      typeof value === 'string' ? '' : {},
    ),
  )

export const swap = (
  operation: Operation,
  first: string,
  second: string,
  inner?: string,
): Operator =>
  operator(
    operation,
    'swap',
    `${first}+${second}`,
    `gives the value of ${first} as ${second} and the other way round`,
    onSuccess((answer) =>
      changeJson(answer, (members) =>
        inner === undefined
          ? swapMembers(members, first, second)
          : changeMember(
              members,
              inner,
              (value) => (isMembers(value) && swapMembers(value, first, second)) || value,
            ),
      ),
    ),
  )

/** The same name twice in one object: readers commonly take the last. */
export const duplicate = (operation: Operation, name: string): Operator =>
  operator(
    operation,
    'duplicate',
    name,
    `gives ${name} twice, the second time with another value`,
    onSuccess(
      (answer) =>
        changeJson(answer, (members) => (members[name] === undefined ? undefined : members)) &&
        withText(
          answer,
          textOf(answer).replace(/\}\s*$/, () => {
            const value = (JSON.parse(textOf(answer)) as Members)[name]
            return `,${JSON.stringify(name)}:${JSON.stringify(otherwise(value ?? null))}}`
          }),
        ),
    ),
  )

export const rename = (operation: Operation, name: string): Operator => {
  const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return operator(
    operation,
    'rename',
    name,
    `names ${name} ${camel}`,
    onSuccess((answer) =>
      changeJson(answer, (members) => {
        const { [name]: value, ...rest } = members
        return value === undefined ? undefined : { ...rest, [camel]: value }
      }),
    ),
  )
}

const reform = (
  operation: Operation,
  path: string,
  form: string,
  by: (text: string) => string,
): Operator => ({
  ...one(operation, 'form', path, `writes ${path} as ${form}`, (value) =>
    typeof value === 'string' ? by(value) : value,
  ),
  id: `${operation}/form/${path}-${form}`,
})

const forms = {
  'time-without-zone': (text: string) => text.replace(/Z$/, ''),
  'time-with-offset': (text: string) =>
    new Date(Date.parse(text) + 7_200_000).toISOString().replace('Z', '+02:00'),
  'whole-seconds': (text: string) => text.replace(/\.\d+/, ''),
  'date-only': (text: string) => text.slice(0, 10),
  'epoch-text': (text: string) => String(Date.parse(text)),
  'upper-case': (text: string) => text.toUpperCase(),
  'lower-case': (text: string) => text.toLowerCase(),
  'without-dashes': (text: string) => text.replaceAll('-', ''),
  'with-spaces': (text: string) => ` ${text} `,
}
export const formed = (
  operation: Operation,
  path: string,
  names: readonly (keyof typeof forms)[],
) => names.map((name) => reform(operation, path, name, forms[name]))
