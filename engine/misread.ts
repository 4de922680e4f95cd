/** Whether what came shows a text as UTF-8 that was read as Latin-1. */
export const isMisread = (sent: string, got: string): boolean =>
  [...sent].some(
    (letter) => letter > '\x7f' && got.includes(Buffer.from(letter).toString('latin1')),
  )
