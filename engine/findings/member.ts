import { describeAnswer, type Head, headOf } from '../head.ts'
import { shown } from '../shown.ts'
import { inContext } from './context.ts'
import type { Again, Context, Kind, Sign, Words } from './kind.ts'

/** A member of a JSON body is not what it has to be. */
export type MemberFinding = Context & {
  kind: 'member'
  /** the answer that shows it, or the resource that was read */
  of: Head | Resource
  /** a read after the update shows it; default: the answer itself */
  in?: 'read'
  /** a path, such as assignment.assigned_to_id; '': the whole body */
  member: string
  wanted: Wanted
  /** left out if it is absent */
  got?: unknown
  /** the read shows what was there before the update */
  isAsBefore?: true
  /** several bodies were judged together: this many */
  bodies?: number
}

type Resource = { resource: string; id: string; status?: undefined }

export type Wanted =
  | { kind: 'value'; value: unknown; anyCase?: true; isSent?: true }
  /** an object with these members */
  | { kind: 'members'; values: Readonly<Record<string, unknown>> }
  /** what a schema asks for, in its words */
  | { kind: 'form'; form: string }
  /** `among`: in at least one of these members */
  | { kind: 'any value'; among?: readonly string[] }
  /** none, as none was sent */
  | { kind: 'no value' }
  /** another one than before */
  | { kind: 'new value' }
  /** as another answer shows it: that before the update, that to the update, or the control */
  | { kind: 'same value'; as: 'before' | 'answer' | 'control'; value: unknown; whose?: string }

type More = Context & Pick<MemberFinding, 'in' | 'isAsBefore' | 'bodies'>

export const memberFinding = (
  of: Head | Resource,
  { member, got, wanted, ...more }: More & Pick<MemberFinding, 'member' | 'got' | 'wanted'>,
): MemberFinding => ({
  kind: 'member',
  of: of.status === undefined ? of : headOf(of),
  member,
  wanted,
  ...(got === undefined ? {} : { got: beginningOf(got) }),
  ...more,
})

const mostLetters = 2000

/** A whole body may be as long as a file. */
const beginningOf = (value: unknown): unknown =>
  typeof value === 'string' ? value.slice(0, mostLetters) : value

export const member: Kind<MemberFinding> = {
  wordsOf(finding) {
    const { wanted, got } = finding
    const isOfMembers = wanted.kind === 'members'
    const names = isOfMembers ? Object.keys(wanted.values) : []
    return {
      sentence: sentenceOf(finding),
      expected: describeWanted(finding, inFull),
      got: isOfMembers ? describeMembers(names, got) : inFull(got),
    }
  },
  againOf,
}

function sentenceOf(finding: MemberFinding): Words['sentence'] {
  const { of, to, ...context } = finding
  const source = of.status === undefined ? `${of.resource} ${of.id}` : describeAnswer(of)
  const request = to ? ` ${to}` : ''
  const fact = finding.in === 'read' ? factInRead(finding) : factInAnswer(finding)
  return inContext(`${source}${request}${fact}`, context)
}

function factInRead(finding: MemberFinding): string {
  const { wanted, isAsBefore } = finding
  const due = describeWanted(finding, inShort)
  const fact = `${nameOf(finding)} ${describeGot(finding)}`
  if (isAsBefore) return `, but the read after it still shows ${fact}, as before it, not ${due}`
  if (wanted.kind !== 'same value') return `, but a read after it shows ${fact}, not ${due}`
  if (wanted.as === 'before') return `, but a read after it shows ${fact}, which was ${due} before`
  return ` with ${nameOf(finding)} ${due}, but a read after it shows ${fact}`
}

function factInAnswer(finding: MemberFinding): string {
  const { wanted, member, got, bodies } = finding
  const due = describeWanted(finding, inShort)
  const fact = `: ${nameOf(finding)} is ${describeGot(finding)}`
  switch (wanted.kind) {
    case 'form': {
      const path = member || 'the body'
      return got === undefined ? `: ${path} is missing` : `: ${path} is ${inShort(got)}, not ${due}`
    }
    case 'no value':
      return `${fact}, but none was sent`
    case 'new value':
      return `${fact}, as before`
    case 'any value':
      return `${fact}${bodies ? ` in all of ${bodies}` : ''}, where a value is due`
    case 'same value':
      if (wanted.as === 'before') return `${fact}, and was ${due} before`
      return `${fact}, but ${due} in ${wanted.whose ?? 'the other response'}`
    case 'value':
      return `${fact}, not ${due}${wanted.isSent ? ', as sent' : ''}`
    case 'members':
      return `${fact}, not ${due}`
  }
}

function nameOf({ member, wanted }: MemberFinding): string {
  if (wanted.kind === 'any value' && wanted.among) return wanted.among.join(', ')
  return member.split('.').at(-1) || 'the body'
}

function describeGot({ wanted, got }: MemberFinding): string {
  return wanted.kind === 'members' ? describeMembers(Object.keys(wanted.values), got) : inShort(got)
}

function describeWanted(
  { member, wanted, got }: MemberFinding,
  describe: (value: unknown) => string,
): string {
  switch (wanted.kind) {
    case 'members':
      return Object.values(wanted.values).join(' ')
    case 'form':
      return got === undefined ? member : wanted.form
    case 'any value':
      return 'a value'
    case 'no value':
      return 'none'
    case 'new value':
      return `a new ${member}`
    default:
      return describe(wanted.value)
  }
}

/** Texts of an object stand as they are, but for long ones. */
const inShort = (value: unknown): string =>
  isObject(value)
    ? Object.entries(value)
        .map(([name, part]) => `${name} ${shown(part)}`)
        .join(', ')
    : shown(value)

const inFull = (value: unknown): string => {
  if (isObject(value)) return inShort(value)
  const text = value === undefined ? 'absent' : (JSON.stringify(value) ?? String(value))
  return text.slice(0, mostLetters)
}

const describeMembers = (names: readonly string[], value: unknown): string =>
  isObject(value) ? names.map((name) => value[name] ?? 'absent').join(' ') : shown(value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function againOf(finding: MemberFinding): Again | undefined {
  const signs = signsOf(finding)
  return signs && { signs }
}

/** undefined: there is nothing to look for in one body. */
function signsOf(finding: MemberFinding): Sign[] | undefined {
  const { member: path, wanted, in: place, got, bodies } = finding
  if (wanted.kind === 'any value' && wanted.among)
    return wanted.among.map((name) => ({ member: name }))
  if (path === '' || bodies !== undefined) return undefined
  const sign: Sign = { member: path, ...(place ? { of: place } : {}) }
  // What is absent may still stand deeper in the body: then a script looks only for the name.
  switch (wanted.kind) {
    case 'value':
      if (got === undefined || wanted.value === undefined) return [sign]
      return [{ ...sign, is: wanted.value, ...(wanted.anyCase ? { anyCase: true } : {}) }]
    case 'members':
      return Object.entries(wanted.values).map(([name, is]) => {
        const ofName = { ...sign, member: `${path}.${name}` }
        if (got === undefined) return ofName
        return { ...ofName, is, ...(anId.test(String(is)) ? { anyCase: true } : {}) }
      })
    case 'new value':
      return [{ ...sign, unlike: 'before' }]
    case 'same value':
      return [{ ...sign, as: wanted.as }]
    default:
      return [sign]
  }
}

const anId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
