import { refusedParams } from '../contract/check.ts';
import { statusOfCode, type ProblemCode } from '../contract/problem-codes.ts';
import type { ErrorBody } from '../contract/representation.ts';
import { countInWords } from '../count-in-words.ts';

/**
 * A refusal that a handler throws: the code determines the status, `data` goes into the error's data, `additionalData`
 * into its additional data.
 */
export class HttpProblem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly additionalData: readonly unknown[] | undefined;
  constructor(
    code: ProblemCode,
    message: string,
    data: Readonly<Record<string, unknown>> = {},
    additionalData?: readonly unknown[],
  ) {
    super(message);
    this.name = 'HttpProblem';
    this.code = code;
    this.status = typeof data['status'] === 'number' ? data['status'] : statusOfCode[code];
    this.data = data;
    this.additionalData = additionalData;
  }
}

/** The refusal of parameters by their values (ids that do not exist, dates that contradict each other), with why. */
export function invalidParams(why: Readonly<Record<string, string>>): HttpProblem {
  const { message, params } = refusedParams(why);
  return new HttpProblem('rest_invalid_param', message, { params, details: [] });
}

/** The refusal of further attempts for some time; `what` there was too much of. */
export function tooManyAttempts(waitMs: number, what: string): HttpProblem {
  const seconds = Math.ceil(waitMs / 1000);
  return new HttpProblem(
    'rest_too_many_attempts',
    `There were too many ${what}. Try again in ${countInWords(seconds, 'second')}.`,
    { retry_after: seconds },
  );
}

const COME_AGAIN_S = 5;

/** The refusal of what cannot be done right now: the database is unavailable, or locked for too long. */
export const unavailable = (): HttpProblem =>
  new HttpProblem(
    'rest_service_unavailable',
    `The calendar cannot be reached right now. Try again in ${COME_AGAIN_S} seconds.`,
    { retry_after: COME_AGAIN_S },
  );

/** The refusal of a change to what is not what the caller knows any more. */
export const changedMeanwhile = (): HttpProblem =>
  new HttpProblem('rest_changed_meanwhile', 'Somebody else has changed it meanwhile. Nothing was written.');

/** The refusal of a request under a condition that is not met. */
export const preconditionFailed = (): HttpProblem =>
  new HttpProblem(
    'rest_precondition_failed',
    'What is at this address is not as If-Match or If-None-Match says. Nothing was written.',
  );

/** "You may not", and who may: 401 for nobody, 403 for somebody. */
export const forbidden = (caller: unknown, whoMay: string): HttpProblem =>
  new HttpProblem('rest_forbidden', `Sorry, you are not allowed to do that. ${caller ? whoMay : SIGN_IN}`, {
    status: caller ? 403 : 401,
  });

const SIGN_IN = "This request is nobody's: send a user name and an application password.";

/** The same because of one parameter: why, and what to send instead. */
export const forbiddenParam = (caller: unknown, name: string, why: string): HttpProblem =>
  new HttpProblem('rest_forbidden', `Not allowed: ${name}. ${why}`, {
    status: caller ? 403 : 401,
    params: { [name]: why },
  });

/** A refusal of a request for a single post that the caller may not write, whatever they may do with others. */
export class NotTheirs extends HttpProblem {
  constructor({ code, message, data }: HttpProblem) {
    super(code, message, data);
  }
}

/** The body that tells it. */
export const problemBody = ({ code, message, status, data, additionalData }: HttpProblem): ErrorBody => ({
  code,
  message,
  data: { status, ...data },
  ...(additionalData && { additional_data: additionalData }),
});
