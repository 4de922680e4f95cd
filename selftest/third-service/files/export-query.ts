import { isZone } from '../calendar.ts'
import { type ExportQuery, Fault, LIST_NAMES, METADATA_KEYS, type MetadataKey } from '../model.ts'

export const LOCALES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt']

const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(\.\d{1,9})?)?Z$/

/** Milliseconds since 1970, with a fraction where more than three digits are given. */
export function readMoment(text: string): number | null {
  const found = MOMENT.exec(text)
  if (!found) return null
  const base = `${found[1]}T${found[2]}:${found[3] ?? '00'}`
  const ms = Date.parse(`${base}.000Z`)
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== base) return null
  const digits = (found[4] ?? '.').slice(1).padEnd(9, '0')
  return ms + Number(digits) / 1e6
}

const present = (value: string | null): string | null =>
  value === null || value === '' || value === 'null' ? null : value

/** Reads the query of an export, and says what is wrong with it, if anything is. */
export class QueryReader {
  readonly #params: URLSearchParams
  #problem: Fault | null = null

  constructor(params: URLSearchParams) {
    this.#params = params
  }

  read(): { query: ExportQuery; problem: Fault | null } {
    const query: ExportQuery = {
      lists: this.#lists(),
      metadata: this.#metadata(),
      from: this.#moment('range_start'),
      to: this.#moment('range_end'),
      file: this.#file(),
      locale: this.#locale(),
      zone: this.#zone(),
    }
    if (query.from !== null && query.to !== null && query.from > query.to)
      this.#wrong('RANGE_REVERSED', 'range_start is later than range_end')
    return { query, problem: this.#problem }
  }

  #wrong(kind: string, says: string): void {
    this.#problem ??= new Fault(400, kind, says)
  }

  #lists(): ExportQuery['lists'] {
    const lists: ExportQuery['lists'] = {}
    for (const name of LIST_NAMES) {
      const given = [...this.#params.getAll(name), ...this.#params.getAll(`${name}[]`)]
      const values = given.filter((value) => value !== '')
      if (values.length > 0) lists[name] = values
    }
    return lists
  }

  #metadata(): ExportQuery['metadata'] {
    const metadata: ExportQuery['metadata'] = {}
    for (const [name, value] of this.#params) {
      if (!name.startsWith('metadata')) continue
      const key = /^metadata\[([^\]]*)\]$/.exec(name)?.[1] as MetadataKey | undefined
      if (!key || !METADATA_KEYS.includes(key)) this.#wrong('METADATA_KEY', `${name} is no filter`)
      else if (value !== '') metadata[key] = [...(metadata[key] ?? []), value]
    }
    return metadata
  }

  #moment(name: string): number | null {
    const text = present(this.#params.get(name))
    if (text === null) return null
    const ms = readMoment(text)
    if (ms === null) this.#wrong('RANGE_BOUND', `${name} is no UTC datetime`)
    return ms
  }

  #file(): 'csv' | 'pdf' {
    const type = this.#params.get('file_type') || 'csv'
    if (type === 'csv' || type === 'pdf') return type
    this.#wrong('FILE_TYPE', 'file_type is csv or pdf')
    return 'csv'
  }

  #locale(): string {
    const locale = this.#params.get('locale') || 'en'
    if (LOCALES.includes(locale)) return locale
    this.#wrong('LOCALE', `locale is one of ${LOCALES.join(', ')}`)
    return 'en'
  }

  #zone(): string {
    const zone = present(this.#params.get('timezone'))
    if (zone === null) return 'UTC'
    if (isZone(zone)) return zone
    this.#wrong('TIMEZONE', 'timezone is no IANA time zone')
    return 'UTC'
  }
}
