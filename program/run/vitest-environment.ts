import { readEnvironment } from '../../engine/settings/environment.ts'

/** The environment of vitest's caller: vite sets BASE_URL to '/' if it is unset. */
export function vitestEnvironment(): NodeJS.ProcessEnv {
  const { BASE_URL, ...others } = process.env
  return BASE_URL === '/' ? others : process.env
}

/** Whether the run meets a service of others. */
export const isOfOthers = (): boolean =>
  Boolean(readEnvironment(process.cwd(), vitestEnvironment()).BASE_URL)
