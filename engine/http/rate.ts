import type { Observation } from '../observation.ts'
import type { Exchange } from './exchange.ts'

export type RateWatch = ReturnType<typeof watchRate>

const mostKept = 3

export function watchRate() {
  const forms = new Set<string>()
  const names = new Set<string>()
  const evidence: Exchange[] = []
  let answers = 0
  return {
    see(exchange: Exchange) {
      const { status, headers = {} } = exchange
      if (status === undefined) return
      answers += 1
      const limits = Object.keys(headers)
        .map((name) => name.toLowerCase())
        .filter((name) => /rate-?limit/.test(name))
      const isTooMany = status === 429
      if (isTooMany) forms.add(formOf(headers['retry-after']))
      // The first answer counts for all that show no limit.
      const isFirst = answers === 1
      const isNews = isFirst || isTooMany || limits.some((name) => !names.has(name))
      for (const name of limits) names.add(name)
      if (isNews && evidence.length < mostKept) evidence.push(exchange)
    },
    get isIdle() {
      return answers === 0
    },
    seen: (): Observation => ({
      tooMany: forms.size > 0 ? 'met' : 'not met',
      retryAfter: [...forms].sort(),
      headers: [...names].sort(),
    }),
    evidence: evidence as readonly Exchange[],
  }
}

const formOf = (retryAfter: string | undefined): string => {
  if (retryAfter === undefined) return 'none'
  return /^\d+$/.test(retryAfter.trim()) ? 'seconds' : 'a date'
}
