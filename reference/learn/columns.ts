import { metadataKeys } from '../calls/events.ts'
import { type Column, parameters } from '../calls/export-call.ts'
import { open } from '../rules/open.ts'
import { type Aspect, aspect } from './aspect.ts'
import * as is from './shapes.ts'

const fields = [...parameters, ...metadataKeys.map((key) => `metadata.${key}` as const)]
/** The title of a column or, without titles, its position from 1 on. */
const place = is.either(is.text, is.count)
const filterColumns = is.object(is.same(fields, is.object({ column: place, form: is.text })))

/** The columns of a CSV: order and titles. */
export const columns: Aspect = aspect(
  {
    'export.columns': is.either(is.list(is.text), is.count),
    'export.filter-columns': filterColumns,
    'export.dates': is.each(is.text),
  },
  (seen, { assume }) => {
    const titles = seen['export.columns'] ?? []
    const places = is.count(titles) ? [...Array(titles + 1).keys()].slice(1) : titles
    if (places.length === 0) return {}
    const shown = Object.entries(seen['export.filter-columns'] ?? {})
    const times = Object.keys(seen['export.dates'] ?? {})
    const found = places.map((place): Column => {
      if (times.includes(String(place))) return 'time'
      const [field, { form = '' } = {}] = shown.find(([, { column }]) => column === place) ?? []
      if (field) return form === 'inside' ? 'metadata' : (field.replace('metadata.', '') as Column)
      return others.find(([, title]) => title.test(String(place).trim()))?.[0] ?? 'description'
    })
    const unknown = found.filter((column) => column === 'description').length
    if (unknown > 1 && !found.includes('comment')) {
      found[found.lastIndexOf('description')] = 'comment'
      assume('the last column without an observed field shows comments')
    }
    if (unknown > 2) assume('the other columns without an observed field show descriptions')
    assume('a PDF has the columns of the reference service')
    return {
      columns: (asked) => (asked.fileType === 'csv' ? found : open.columns(asked)),
      columnTitle: (title) => {
        const there = title.fileType === 'csv' ? places[title.at] : undefined
        // The service's own titles have translations.
        const isOwn = there === open.columnTitle({ ...title, locale: 'en' })
        return typeof there === 'string' && !isOwn ? there : open.columnTitle(title)
      },
    }
  },
)

/** The titles of columns that have no filter. */
const others: [Column, RegExp][] = [
  ['id', /^(event[ _]?)?(id|uuid|key|kennung|identifi\w+)$/i],
  ['time', /time|date|when|zeit|datum|created|occurred|recorded/i],
  ['comment', /comment|note|remark|kommentar|commentaire/i],
  ['metadata', /metadata|details|context|payload/i],
]
