export const eventsOf = (count: number): string => (count === 1 ? '1 event' : `${count} events`)
