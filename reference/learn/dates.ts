import { type DateShown, offsetText } from '../rules/open-export.ts'
import { type Aspect, one } from './aspect.ts'
import * as is from './shapes.ts'

const field = /\{([^{}]+)\}/g

/** How files write dates. */
export const dates: Aspect = one('export.dates', isWritable, (seen, { first, assume }) => {
  const form = first('export.dates', [...new Set(Object.values(seen))]) ?? ''
  assume('a PDF writes dates as a CSV does')
  return {
    dateForm: (date) => form.replace(field, (_, name: string) => writers[name]?.(date) ?? ''),
  }
})

function isWritable(value: unknown): value is Record<string, string> {
  const [form = ''] = is.each(is.text)(value) ? Object.values(value) : []
  const names = [...form.matchAll(field)].map(([, name = '']) => name)
  return names.length > 0 && names.every((name) => Object.hasOwn(writers, name))
}

type Write = (date: DateShown) => string
function part(from: number, to: number): Write {
  return ({ local }) => local.slice(from, to)
}
function short(from: number, to: number): Write {
  return ({ local }) => String(Number(local.slice(from, to)))
}
const hour = ({ local }: DateShown) => Number(local.slice(11, 13))

function name({ local }: DateShown, options: Intl.DateTimeFormatOptions) {
  return new Date(`${local.slice(0, 19)}Z`).toLocaleString('en', { ...options, timeZone: 'UTC' })
}

function since1970({ instant }: DateShown, digits: number) {
  return `${Date.parse(`${instant.slice(0, 19)}Z`) / 1000}${instant.slice(20, 20 + digits)}`
}

/** The writer of each part of a form. */
const writers: Record<string, Write> = {
  YYYY: part(0, 4),
  YY: part(2, 4),
  MM: part(5, 7),
  M: short(5, 7),
  MMM: (date) => name(date, { month: 'short' }),
  MMMM: (date) => name(date, { month: 'long' }),
  DD: part(8, 10),
  D: short(8, 10),
  ddd: (date) => name(date, { weekday: 'short' }),
  dddd: (date) => name(date, { weekday: 'long' }),
  HH: part(11, 13),
  H: short(11, 13),
  hh: (date) => String(hour(date) % 12 || 12).padStart(2, '0'),
  h: (date) => String(hour(date) % 12 || 12),
  A: (date) => (hour(date) < 12 ? 'AM' : 'PM'),
  a: (date) => (hour(date) < 12 ? 'am' : 'pm'),
  mm: part(14, 16),
  ss: part(17, 19),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => ['S'.repeat(n), part(20, 20 + n)])),
  YYYYMMDD: ({ local }) => local.slice(0, 10).replaceAll('-', ''),
  HHmmss: ({ local }) => local.slice(11, 19).replaceAll(':', ''),
  Z: ({ offset }) => (offset === 0 ? 'Z' : offsetText(offset)),
  '+HH:MM': ({ offset }) => offsetText(offset),
  '+HHMM': ({ offset }) => offsetText(offset, ''),
  '+HH': ({ offset }) => offsetText(offset).slice(0, 3),
  zone: ({ zone }) => zone,
  s: (date) => since1970(date, 0),
  ms: (date) => since1970(date, 3),
}
