/** Random but repeatable: the same seed gives the same world. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.below(16).toString(16))
    hex[12] = '4'
    hex[16] = this.pick(['8', '9', 'a', 'b'])
    const text = hex.join('')
    const parts = [[0, 8], [8, 12], [12, 16], [16, 20], [20]] as const
    return parts.map(([from, to]) => text.slice(from, to)).join('-')
  }

  uuids(count: number): string[] {
    return Array.from({ length: count }, () => this.uuid())
  }
}
