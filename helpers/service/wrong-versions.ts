/**
 * Values that If-Match never was, made by changing digits of one that is: a version is a string to
 * be given back, so it is never parsed and printed again.
 */
export const wrongVersions = {
  /** the last digit before the zone made one less, and 0 a 9: what is one more may come any moment */
  near: (version: string) => {
    const [, before = version, zone = ''] = /^(.*?)([Zz]|[+-][\d:]+)?$/s.exec(version) ?? []
    return `${before.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 9) % 10))}${zone}`
  },
  /** a year before */
  older: (version: string) => movedYear(version, -1),
  /** a year after */
  future: (version: string) => movedYear(version, 1),
}

/** Where the fraction of a second of a version begins and ends, if it shows one that is not zero. */
const fractionOf = (version: string) => /^(.*:\d\d[.,])(\d*[1-9]\d*)(\D.*)?$/s.exec(version)

/** Values near the current one in its text, of another instant; undefined where it shows too little. */
export const nearVersions = {
  /** without its fraction: a prefix of it, with the zone */
  cut: (version: string) => {
    const [, before = '', , zone = ''] = fractionOf(version) ?? []
    return before === '' ? undefined : `${before.slice(0, -1)}${zone}`
  },
  /** its last digit of the fraction that is not zero left out */
  shorter: (version: string) => {
    const [, before = '', digits = '', zone = ''] = fractionOf(version) ?? []
    const shorter = digits.replace(/[1-9](0*)$/, '$1')
    return before === '' || shorter === '' ? undefined : `${before}${shorter}${zone}`
  },
  /** the same digits an hour away */
  zone: (version: string) => {
    const moved = version.replace(/(?:Z|[+-]00:?00)$/i, '+01:00')
    return moved === version ? undefined : moved
  },
  /** later by less than it shows */
  finer: (version: string) => {
    const [, time = '', fraction = '', zone = ''] =
      /^(.*T\d\d:\d\d:\d\d)([.,]\d+)?(Z|[+-][\d:]+)$/i.exec(version) ?? []
    return time === '' ? undefined : `${time}${fraction || '.'}5${zone}`
  },
  /** with letters before and behind */
  padded: (version: string) => `x${version}x`,
}

const movedYear = (version: string, by: number) =>
  version.replace(/\d{4}/, (year) => String(Number(year) + by).padStart(4, '0'))
