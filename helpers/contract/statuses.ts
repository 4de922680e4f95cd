/** The statuses that the contract states, by what they mean. */
export const statuses = {
  exported: 200,
  invalidExport: 400,
  badKey: 401,
  unknownId: 404,
  staleVersion: 409,
  failedExport: 500,
} as const
