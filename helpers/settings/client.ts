import { type Client, type ClientOptions, openClient } from '../../engine/http/client.ts'
import type { Settings } from './table.ts'

/** Opens the client of a run, with the contract's key header. */
export const openServiceClient = (settings: Settings, options?: ClientOptions): Client =>
  openClient({ ...settings, keyHeader: 'apikey', userAgent: 'task-assignment-contract' }, options)
