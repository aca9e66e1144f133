/** An error that a command tells its user in words. */
export const isTold = (error: unknown): boolean => error instanceof Error && error.name === 'AppError';
