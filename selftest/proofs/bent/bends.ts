/** A rule that is another one once it has been asked so often; each run asks a new one. */
export function midway<Given, Result>(
  before: (given: Given) => Result,
  after: (given: Given) => Result,
  times: number,
): (given: Given) => Result {
  let asked = 0
  return (given) => {
    asked += 1
    return asked > times ? after(given) : before(given)
  }
}

/** A rule that is another one each time it has been asked so often; each run asks a new one. */
export function nowAndThen<Given, Result>(
  usual: (given: Given) => Result,
  other: (given: Given) => Result,
  times: number,
): (given: Given) => Result {
  let asked = 0
  return (given) => {
    asked += 1
    return asked % times === 0 ? other(given) : usual(given)
  }
}
