import type { Role } from './rights.ts';

/** A route's answer. `headers` are added to those of every answer. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Params = Readonly<Record<string, unknown>>;

/** The parameters of a request and the role of its user. */
export interface Asking {
  readonly params: Params;
  readonly role: Role;
}

/** Aborts a request with the reply that it carries. */
export class Refusal extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super(`refused with ${reply.status}`);
    this.reply = reply;
  }
}

export const refusal = (status: number, code: string, data: object = {}, more: object = {}): Refusal =>
  new Refusal({ status, body: { code, message: `Refused: ${code}`, data: { status, ...data }, ...more } });

/** Some routes of old versions answer 200 with a serialised error. */
export const writtenOut = (code: string): Refusal =>
  new Refusal({ status: 200, body: { errors: { [code]: ['Something is missing.'] }, error_data: [] } });

export const invalid = (...names: readonly string[]): Refusal =>
  refusal(400, 'rest_invalid_param', {
    params: Object.fromEntries(names.map((name) => [name, 'Invalid parameter.'])),
    details: [],
  });

export const missing = (...names: readonly string[]): Refusal =>
  refusal(400, 'rest_missing_callback_param', { params: names });

export const forbidden = (role: Role): Refusal => refusal(role === 'nobody' ? 401 : 403, 'rest_forbidden');

export const noRoute = (): Refusal => refusal(404, 'rest_no_route');

/** An integer parameter of at least `least`. */
export function wholeNumber(params: Params, name: string, least: number): number | undefined {
  const value = params[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < least || value === '') throw invalid(name);
  return number;
}

/** IDs, slugs or names: a single value, a comma-separated string or an array. */
export function listOf(value: unknown): (string | number)[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value as (string | number)[];
  return String(value)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
