/** "1 event", "2 events", "0 events". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`

/** "1 task with …" of "tasks with …" */
export const countedOf = (count: number, phrase: string): string =>
  counted(
    count,
    phrase.replace(/ies\b|(?<![su])s\b/, (end) => (end === 'ies' ? 'y' : '')),
    phrase,
  )
