import type { Bend } from './bend.ts'

/**
 * The same with fewer events and a window that is told: it does not go by the day on which this
 * runs, and a change of daylight saving lies in it.
 */
export const inWindow = <B extends Bend>(bend: B): B => ({
  events: 2_500,
  pdfLimit: 1_000,
  surroundings: async () => ({
    env: { EXPORT_FROM: '2025-10-10T00:00:00Z', EXPORT_TO: '2025-11-10T00:00:00Z' },
    close: async () => {},
  }),
  ...bend,
})

/** Likewise, and with a limit for PDFs that is a little over the window and under the whole. */
export const smallLimit = <B extends Bend>(bend: B): B => ({
  events: 1_200,
  pdfLimit: 300,
  surroundings: async () => ({
    env: { EXPORT_FROM: '2025-09-01T00:00:00Z', EXPORT_TO: '2025-12-01T00:00:00Z' },
    close: async () => {},
  }),
  ...bend,
})
