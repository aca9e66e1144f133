/** Whether an error is one that a command explains to its user. */
export const isUserError = (error: unknown): boolean => error instanceof Error && error.name === 'AppError';
