/** The contract's table of errors: the status of each row, by its name. */
export const errors = {
  'Bad Request': 400,
  Unauthorized: 401,
  'Task not found': 404,
  'Not Found': 404,
  'Version mismatch': 409,
  'Internal Server Error': 500,
} as const
