import { wordList } from '../../contract/arg-kinds.ts';
import type { Route } from '../../contract/describe.ts';
import { isPassing } from '../../db/wait.ts';
import { HttpProblem, problemBody, unavailable } from '../http-problem.ts';

/** The result of a request. */
export interface Outcome {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** The refusal if no route has this path and method; `route` has at least the path. */
export function noRoute(route?: Route): HttpProblem {
  const methods = [...new Set(route?.endpoints.flatMap((endpoint) => endpoint.methods))];
  const instead = methods.length === 0 ? '' : ` This address takes ${wordList(methods)}.`;
  return new HttpProblem('rest_no_route', `No route was found matching the URL and request method.${instead}`);
}

/** Converts a refusal to an outcome. */
export const problemOutcome = (problem: HttpProblem, headers: Readonly<Record<string, string>> = {}): Outcome => ({
  status: problem.status,
  body: problemBody(problem),
  headers: {
    ...headers,
    ...(typeof problem.data['retry_after'] === 'number' && { 'Retry-After': String(problem.data['retry_after']) }),
  },
});

/**
 * The outcome of an unexpected error: `report` gets the error, and the client only learns whether trying again may
 * help.
 */
export function unforeseen(error: unknown, report: (error: unknown) => void): Outcome {
  report(error);
  if (isPassing(error)) return problemOutcome(unavailable());
  return {
    status: 500,
    body: {
      code: 'internal_server_error',
      message: 'Something went wrong here; it has been logged.',
      data: { status: 500 },
      additional_errors: [],
    },
    headers: {},
  };
}
