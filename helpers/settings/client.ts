import { type Client, type ClientOptions, openClient } from '../../engine/http/client.ts'
import type { Settings } from './table.ts'

export const openServiceClient = (settings: Settings, options?: ClientOptions): Client =>
  openClient({ ...settings, keyHeader: 'apikey', userAgent: 'task-assignment-contract' }, options)
