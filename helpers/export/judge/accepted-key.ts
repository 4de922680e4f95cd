import { needDecidable, tell } from '../../../engine/files/content.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { isRefused } from '../../service/answers.ts'
import type { Settings } from '../../settings/table.ts'
import { asking, together } from '../ask/field.ts'
import type { MetadataKey } from '../ask/query.ts'
import { type Filters, noValue } from '../learn/filters.ts'
import { spanOf, type Window } from '../learn/window.ts'

const mostTried = 4

/**
 * The answer to a key with a value that events have. Of a value that was only found in the file, or
 * in a task, a refusal tells nothing: what stands in a column need not be what the key is about.
 */
export async function answerToKnown(
  key: MetadataKey,
  { filters, window, settings }: { filters: Filters; window: Window; settings: Settings },
): Promise<Downloaded> {
  const { exports } = filters
  const declared = settings.metadataValues[key] ?? []
  for (const value of declared) {
    const inWindow = await exports.csv(together(spanOf(window), asking(key, value)))
    if (inWindow.answer.status === 200) continue
    // Where it stands in the audit trail is not declared: perhaps not in the window.
    const { answer } = await exports.csv(asking(key, value), { read: 1 })
    needDecidable(answer)
    return answer
  }
  const [known] = await filters.known(key)
  const value = known?.value ?? declared[0]
  if (value !== undefined)
    return (await exports.csv(together(spanOf(window), asking(key, value)))).answer

  for (const value of (await filters.likely(key)).slice(0, mostTried)) {
    const { answer } = await exports.csv(together(spanOf(window), asking(key, value)))
    if (isRefused(answer))
      throw new NotDecidable(
        `${tell(answer)}: set METADATA_VALUES to a value of ${key} that events are known to have`,
      )
  }
  throw new NotDecidable(noValue(key))
}
