/** What a sentence says of an answer. */
export type Head = { method: string; path: string; status: number }

export const headOf = ({ method, path, status }: Head): Head => ({ method, path, status })

export const describeAnswer = ({ method, path, status }: Head) =>
  `${method} ${path} responded ${status}`
