import { refusedParams } from '../contract/check.ts';
import { statusOfCode, type ProblemCode } from '../contract/problem-codes.ts';
import type { ErrorBody } from '../contract/representation.ts';
import { countInWords } from '../count-in-words.ts';

/**
 * A refusal thrown by a handler. The code determines the status; `data` is merged into the error's data, and
 * `additionalData` becomes its additional data.
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

/** A refusal of parameters because of their values (nonexistent ids, contradictory dates), with a reason for each. */
export function invalidParams(why: Readonly<Record<string, string>>): HttpProblem {
  const { message, params } = refusedParams(why);
  return new HttpProblem('rest_invalid_param', message, { params, details: [] });
}

/** A refusal of further attempts for `waitMs`; `what` names what there was too much of. */
export function tooManyAttempts(waitMs: number, what: string): HttpProblem {
  const seconds = Math.ceil(waitMs / 1000);
  return new HttpProblem(
    'rest_too_many_attempts',
    `There were too many ${what}. Try again in ${countInWords(seconds, 'second')}.`,
    { retry_after: seconds },
  );
}

const COME_AGAIN_S = 5;

/** A refusal of what cannot be done right now because the database is unavailable or was locked for too long. */
export const unavailable = (): HttpProblem =>
  new HttpProblem(
    'rest_service_unavailable',
    `The calendar cannot be reached right now. Try again in ${COME_AGAIN_S} seconds.`,
    { retry_after: COME_AGAIN_S },
  );

/** A refusal of a change to something that has changed since the caller last saw it. */
export const changedMeanwhile = (): HttpProblem =>
  new HttpProblem('rest_changed_meanwhile', 'Somebody else has changed it in the meantime. Nothing was written.');

/** A refusal of a request whose precondition is not met. */
export const preconditionFailed = (): HttpProblem =>
  new HttpProblem(
    'rest_precondition_failed',
    'What is at this address is not as If-Match or If-None-Match says. Nothing was written.',
  );

/** A refusal that says who may do it: 401 for anonymous callers, 403 for the others. */
export const forbidden = (caller: unknown, whoMay: string): HttpProblem =>
  new HttpProblem('rest_forbidden', `Sorry, you are not allowed to do that. ${caller ? whoMay : SIGN_IN}`, {
    status: caller ? 403 : 401,
  });

const SIGN_IN = "This request is nobody's: send a user name and an application password.";

/** The same refusal because of one parameter; `why` also says what to send instead. */
export const forbiddenParam = (caller: unknown, name: string, why: string): HttpProblem =>
  new HttpProblem('rest_forbidden', `Not allowed: ${name}. ${why}`, {
    status: caller ? 403 : 401,
    params: { [name]: why },
  });

/** A refusal to let the caller write one particular post, whatever they may do with others. */
export class ForbiddenPost extends HttpProblem {
  constructor({ code, message, data }: HttpProblem) {
    super(code, message, data);
  }
}

/** The refusal as a response body. */
export const problemBody = ({ code, message, status, data, additionalData }: HttpProblem): ErrorBody => ({
  code,
  message,
  data: { status, ...data },
  ...(additionalData && { additional_data: additionalData }),
});
