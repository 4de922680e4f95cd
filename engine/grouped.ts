export function grouped<T, K>(values: Iterable<T>, keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const value of values) addTo(groups, keyOf(value), value)
  return groups
}

export function addTo<T, K>(groups: Map<K, T[]>, key: K, value: T): void {
  const group = groups.get(key)
  if (group) group.push(value)
  else groups.set(key, [value])
}
