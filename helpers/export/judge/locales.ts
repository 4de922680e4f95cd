import type { Observation } from '../../../engine/observation.ts'
import type { Exports } from '../ask/exports.ts'
import { needCsv } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import type { Span } from '../learn/ranges.ts'
import { letsIn } from './zones.ts'

/** Languages that services are likely to support, the likeliest first. */
export const languages = ['de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'ja', 'zh', 'ar'] as const

/** The first few languages that the service lets in: unsupported ones may be refused. */
export async function languagesLetIn(exports: Exports, span: Span, most: number) {
  const taken: string[] = []
  for (const locale of languages) {
    if (taken.length === most) break
    if (await letsIn(exports, { ...span, locale })) taken.push(locale)
  }
  return taken
}

/** The languages in which a file is not as it is in English. */
export async function languagesThatShow(exports: Exports, span: Span): Promise<string[]> {
  const showing: string[] = []
  for (const locale of languages)
    if ((await likeEnglish(exports, span, locale)) === 'another file') showing.push(locale)
  return showing
}

/** What becomes of a locale: a status, or whether the file is as it is in English. */
export async function likeEnglish(
  exports: Exports,
  span: Span,
  locale: string,
): Promise<Observation> {
  const fileOf = async (query: Query) =>
    JSON.stringify(needCsv(await exports.csv({ ...span, ...query })).records)
  const { answer } = await exports.csv({ ...span, locale })
  if (answer.status !== 200) return answer.status
  const [english, again] = [await fileOf({}), await fileOf({ locale: 'en' })]
  const found = await fileOf({ locale })
  // A file that tells when it was made differs every time.
  if (found === english || found === again || english !== again) return 'as in English'
  return 'another file'
}
