import { counted } from '../../../engine/counted.ts'

export const eventsOf = (count: number): string => counted(count, 'event')
