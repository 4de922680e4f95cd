/** Maps a list with limited concurrency, as long as there is time. */
export async function inTurn<T>(
  list: readonly T[],
  { atOnce, mayGoOn }: { atOnce: number; mayGoOn: () => boolean },
  act: (one: T) => Promise<void>,
): Promise<void> {
  const queue = [...list]
  const work = async () => {
    while (mayGoOn()) {
      const one = queue.shift()
      if (one === undefined) return
      await act(one)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
