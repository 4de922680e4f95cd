// Node reads no TypeScript, and a thread does not inherit the loader of its process.
import { register } from 'tsx/esm/api'

register()
await import('./warm-thread.ts')
