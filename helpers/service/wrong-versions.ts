/** Made by changing digits: a version is a string to be returned, so it is never parsed and printed. */
export const wrongVersions = {
  /** the last digit before the zone minus one (0 becomes 9): plus one may occur at any moment */
  near: (version: string) => {
    const [, before = version, zone = ''] = /^(.*?)([Zz]|[+-][\d:]+)?$/s.exec(version) ?? []
    return `${before.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 9) % 10))}${zone}`
  },
  older: (version: string) => movedYear(version, -1),
  future: (version: string) => movedYear(version, 1),
}

const fractionOf = (version: string) => /^(.*[T ][\d:]+[.,])(\d*[1-9]\d*)(\D.*)?$/is.exec(version)

/** Values with a text near the current one and another instant; undefined if the version has too few digits. */
export const nearVersions = {
  cut: (version: string) => {
    const [, before = '', , zone = ''] = fractionOf(version) ?? []
    return before === '' ? undefined : `${before.slice(0, -1)}${zone}`
  },
  /** without the last digit of its fraction that is not zero */
  shorter: (version: string) => {
    const [, before = '', digits = '', zone = ''] = fractionOf(version) ?? []
    const shorter = digits.replace(/[1-9](0*)$/, '$1')
    return before === '' || shorter === '' ? undefined : `${before}${shorter}${zone}`
  },
  zone: (version: string) => {
    const moved = version.replace(/(?:Z|[+-]00:?00)$/i, '+01:00')
    return moved === version ? undefined : moved
  },
  finer: (version: string) => {
    const [, time = '', fraction = '', zone = ''] =
      /^(.*T\d\d:?\d\d:?\d\d)([.,]\d+)?(Z|[+-][\d:]+)$/i.exec(version) ?? []
    return time === '' ? undefined : `${time}${fraction || '.'}5${zone}`
  },
  padded: (version: string) => `x${version}x`,
}

const movedYear = (version: string, by: number) =>
  version.replace(/\d{4}/, (year) => String(Number(year) + by).padStart(4, '0'))
