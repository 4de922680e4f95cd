import { setTimeout } from 'node:timers/promises'
import type { Export } from '../../../reference/calls/export-call.ts'
import type { Stated } from '../../../reference/rules/stated.ts'
import type { ExportFile } from '../../../reference/rules/stated-export.ts'
import { bytesOf } from './export-window.ts'

type ExportWithFile = Export & { file: ExportFile }

/** A cache of files for this long, by a key. A correct key is the whole query. */
export function keptUnder(keyOf: (asked: Export) => unknown, ms: number): Partial<Stated> {
  const kept = new Map<string, { until: number; file: ExportFile }>()
  return {
    file: async (asked: ExportWithFile) => {
      const key = JSON.stringify(keyOf(asked))
      const found = kept.get(key)
      if (found && found.until > Date.now()) return found.file
      const file = { ...asked.file, content: (await bytesOf(asked.file)) as never }
      kept.set(key, { until: Date.now() + ms, file })
      return file
    },
  }
}

/** The query of an export without some parameters, in any order. */
export const without =
  (...names: string[]) =>
  ({ query }: Export): string[][] =>
    [...query]
      .filter(([name]) => !names.some((each) => name === each || name.startsWith(`${each}[`)))
      .sort(([one], [other]) => one.localeCompare(other))

/** One slot for the files of a range and a format: a waiting request gets what was made last. */
export function inOnePlace(): Partial<Stated> {
  const latest = new Map<string, ExportFile>()
  return {
    file: async (asked: ExportWithFile) => {
      const names = ['range_start', 'range_end', 'file_type']
      const place = JSON.stringify(names.map((name) => asked.query.get(name)))
      const file = { ...asked.file, content: (await bytesOf(asked.file)) as never }
      latest.set(place, file)
      await setTimeout(15)
      return latest.get(place) ?? file
    },
  }
}
