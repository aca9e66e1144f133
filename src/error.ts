import type { ErrorCode } from './codes.ts';

/**
 * Broken surroundings (network, database, files, wrong use): one class, told apart by `code`. The message says what to
 * do next.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
  }
}
