import { expect, test, vi } from 'vitest'
import { readPdf } from '../../../engine/files/pdf.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { madePdf } from './raw-pdf.ts'

vi.mock('../../../engine/files/pdf-thread.ts', () => ({
  readInThread: (_: unknown, __: unknown, onFailure: (error: Error) => void) => {
    setTimeout(onFailure, 1, new Error('it ended'))
    return { end: async () => {} }
  },
}))

test('a crash of the PDF reader is trouble, not a breach', async () => {
  const reading = readPdf(await madePdf(['one']), { text: true, timeoutMs: 5_000 })
  await expect(reading).rejects.toThrow('opening the PDF: its reader failed (it ended)')
  await expect(reading).rejects.toBeInstanceOf(Trouble)
})
