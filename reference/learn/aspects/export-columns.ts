import { metadataKeys } from '../../calls/events.ts'
import type { Column } from '../../calls/export-call.ts'
import { open } from '../../rules/open.ts'
import type { Aspect } from '../aspect.ts'
import { isMembers, type Seen } from '../seen.ts'

/** The columns of a CSV, their order and their titles. */
export const columns: Aspect = {
  of: [
    'export.columns',
    'export.filter-columns',
    'export.row-order',
    'export.dates',
    'export.locales-that-change-the-file',
  ],
  rules(seen) {
    const titles = titlesIn(seen)
    if (!titles) return {}
    const shownAt = fieldsByColumn(seen)
    const { by } = seen.members('export.row-order')
    const ofTimes = Object.keys(seen.members('export.dates'))
    const found = titles.map((title, at): Column => {
      const fields = shownAt.get(title ?? at + 1) ?? []
      const [field] = fields.splice(
        0,
        fields.every(({ form }) => form === 'inside') ? fields.length : 1,
      )
      if (ofTimes.includes(String(title ?? at + 1))) return 'time'
      if (field) return field.form === 'inside' ? 'metadata' : field.column
      return (
        (title !== undefined && named(title)) || (by === (title ?? at + 1) ? 'time' : 'description')
      )
    })
    const others = found.filter((column) => column === 'description').length
    const refused = seen.value('audit.refused-not-recorded')
    const comment = isMembers(refused) ? refused.comment : undefined
    // Comments are a part of the trail: of columns without a name the last is theirs.
    const isShown = comment === true || (comment !== false && others > 1)
    if (!found.includes('comment') && others > 0 && isShown) {
      found[found.lastIndexOf('description')] = 'comment'
      seen.assume('the last column of which nothing was seen shows comments')
    }
    const left = found.filter((column) => column === 'description').length
    if (left > 1) seen.assume(`${left} columns show a description: what they hold was not seen`)
    seen.assume('a PDF has the columns of the reference service')
    const hasWords = found.includes('event_type') || found.includes('sub_type')
    const wordless = hasWords ? [] : seen.words('export.locales-that-change-the-file')
    return {
      open: {
        columns: (asked) => (asked.fileType === 'csv' ? found : open.columns(asked)),
        // A title of this service's own has words in other languages.
        columnTitle: (title) => {
          const seenThere = title.fileType === 'csv' ? titles[title.at] : undefined
          const english = open.columnTitle({ ...title, locale: 'en' })
          if (seenThere === undefined || seenThere === english) return open.columnTitle(title)
          // A language that changes a file without words changes its titles.
          return wordless.includes(title.locale) ? `${seenThere} (${title.locale})` : seenThere
        },
      },
    }
  },
}

/** A title for each column, none where columns have no names; undefined: nothing was seen. */
function titlesIn(seen: Seen): (string | undefined)[] | undefined {
  const value = seen.value('export.columns')
  if (value === undefined) return undefined
  if (Number.isInteger(value) && (value as number) > 0 && (value as number) < 200)
    return Array.from({ length: value as number }, () => undefined)
  const titles = seen.words('export.columns')
  return titles.length > 0 ? titles : undefined
}

type Shown = { column: Column; form: unknown }

/** Which fields a column shows, by its title or, from 1 on, its place. */
function fieldsByColumn(seen: Seen): Map<unknown, Shown[]> {
  const found = new Map<unknown, Shown[]>()
  for (const [field, place] of Object.entries(seen.members('export.filter-columns'))) {
    if (!isMembers(place)) continue
    const column = field.replace(/^metadata\./, '')
    if (isFilter(column))
      found.set(place.column, [...(found.get(place.column) ?? []), { column, form: place.form }])
  }
  return found
}

const filters = ['auditee_id', 'event_type', 'sub_type', 'system_source', ...metadataKeys]
const isFilter = (name: string): name is Column => filters.includes(name)

const others: [Column, RegExp][] = [
  ['id', /^(event[ _]?)?(id|uuid|key|kennung|identifi\w+)$/i],
  ['time', /time|date|when|zeit|datum|created|occurred|recorded/i],
  ['comment', /comment|note|remark|kommentar|commentaire/i],
  ['metadata', /metadata|details|context|payload/i],
]

/** The column that a title names, of those that cannot be filtered by. */
const named = (title: string): Column | undefined =>
  others.find(([, name]) => name.test(title.trim()))?.[0]
