export function shown(value: unknown, most = 80): string {
  const text = value === undefined ? 'absent' : (JSON.stringify(value) ?? String(value))
  return text.length > most ? `${text.slice(0, most - 3)}…` : text
}
