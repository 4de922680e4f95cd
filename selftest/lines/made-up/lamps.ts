// What the mutants of our own tests change.

/** How many of these lamps are bright. */
export function countBright(lamps: readonly number[], least = 10): number {
  return lamps.filter((lamp) => lamp >= least).length
}

/** The first power of two that is not below a number. */
export function nextPower(number: number): number {
  let power = 1
  while (power < number) power *= 2
  return power
}

/** A greeting that nobody asks for. */
export function greet(name: string): string {
  if (name === '') return 'hello'
  return `hello ${name}`
}
