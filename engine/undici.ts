import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

type Undici = typeof import('undici')

/**
 * Not from the main entry: fetch, web sockets and a cache are most of what a thread would load. A test compares both.
 */
export const Agent: Undici['Agent'] = require('undici/lib/dispatcher/agent.js')
export const request: Undici['Dispatcher']['prototype']['request'] =
  require('undici/lib/api/api-request.js')

export const wholeUndici = (): Undici => require('undici')
