type Rule<Given, Result> = (given: Given) => Result

/** A rule that becomes another one once it has been asked so often; each run asks a new one. */
export const midway = <Given, Result>(
  before: Rule<Given, Result>,
  after: Rule<Given, Result>,
  times: number,
): Rule<Given, Result> => eitherOf(before, after, (asked) => asked > times)

/** A rule that is another one each time it has been asked so often; each run asks a new one. */
export const nowAndThen = <Given, Result>(
  usual: Rule<Given, Result>,
  other: Rule<Given, Result>,
  times: number,
): Rule<Given, Result> => eitherOf(usual, other, (asked) => asked % times === 0)

function eitherOf<Given, Result>(
  usual: Rule<Given, Result>,
  other: Rule<Given, Result>,
  isOther: (asked: number) => boolean,
): Rule<Given, Result> {
  let asked = 0
  return (given) => {
    asked += 1
    return isOther(asked) ? other(given) : usual(given)
  }
}
