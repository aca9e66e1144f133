import type { ErrorCode } from './codes.ts';

/**
 * A failure of the environment (network, database, files, wrong use), identified by `code`. The message says what to do
 * next.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
  }
}
