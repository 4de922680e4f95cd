import { type Client, type ClientOptions, openClient } from '../../engine/http/client.ts'
import type { Settings } from './table.ts'

/** Opens the client of a run: the key goes where the contract says. */
export const openServiceClient = (settings: Settings, options?: ClientOptions): Client =>
  openClient({ ...settings, keyHeader: 'apikey', userAgent: 'task-assignment-contract' }, options)
