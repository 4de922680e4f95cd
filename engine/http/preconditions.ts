/** The statuses that HTTP itself has for a request whose precondition fails or is missing. */
export const preconditionStatuses: readonly number[] = [412, 428]
