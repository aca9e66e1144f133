import { expect } from 'vitest';
import type { Api } from '../../../src/contract/api.ts';
import type { Role } from '../../../src/site/roles.ts';
import type { Answer, Sent } from '../../support/contract-target.ts';
import type { Made } from './made.ts';

export type EndpointName = keyof Api;

/** A test of one parameter of one endpoint and method, with a value that is accepted or one that is refused. */
export interface Case {
  readonly endpoint: EndpointName;
  readonly method: string;
  readonly param: string;
  readonly sign: 'positive' | 'negative';
  readonly about: string;
  /** Only for the built-in site: real ones behave differently (contract.md, section 16) or lack the feature. */
  readonly ours?: boolean;
  /** Whether the case needs an image on the site. */
  readonly needsImage?: boolean;
  readonly run: (made: Made) => Promise<void>;
}

/** A value, or a function that derives it from the suite's data. */
export type Known<T = unknown> = T | ((made: Made) => T);
export const known = <T>(value: Known<T>, made: Made): T =>
  typeof value === 'function' ? (value as (made: Made) => T)(made) : value;

/** The expected refusal: its status, its code and the parameter that it names, if it names one. */
export interface Refusal {
  readonly status?: number;
  readonly code?: string;
  readonly names?: string;
}

/** Asserts that an answer refuses a parameter. */
export function expectRefusal(
  { status, body, text }: Answer,
  param: string,
  { status: expected = 400, code = 'rest_invalid_param', names }: Refusal = {},
): void {
  expect([status, body.code ?? text.slice(0, 500)]).toEqual([expected, code]);
  if (code !== 'rest_invalid_param' && names === undefined) return;
  expect(Object.keys((body.data?.['params'] ?? {}) as object)).toEqual([names ?? param]);
}

/** Asserts that an answer is a success whose body contains `shown`. */
export function expectBody({ status, body, text }: Answer, expectedStatus: number, shown: object): void {
  expect([status, status === expectedStatus ? '' : text.slice(0, 500)]).toEqual([expectedStatus, '']);
  expect(body).toMatchObject(shown);
}

/** A query of a list, and the names that it returns, in order, or the refusal. */
export interface Query {
  readonly query: Known<string>;
  readonly as?: Role | null;
  /** Expected titles, without the key. */
  readonly gives?: readonly string[];
  readonly refuses?: Refusal;
  readonly ours?: boolean;
}

/**
 * The cases of a list: for each parameter, queries that are accepted and queries that are refused. `within` limits them
 * to the suite's own data.
 */
export function listCases(
  endpoint: EndpointName,
  path: string,
  name: string,
  within: (made: Made, param: string) => string,
  table: Readonly<Record<string, readonly [positive: readonly Query[], negative: readonly Query[]]>>,
): Case[] {
  return Object.entries(table).flatMap(([param, signs]) =>
    (['positive', 'negative'] as const).flatMap((sign, index) =>
      (signs[index] ?? []).map((query): Case => ({
        endpoint,
        method: 'GET',
        param,
        sign,
        about: String(query.query),
        ...(query.ours && { ours: true }),
        run: async (made) => {
          const text = [known(query.query, made), within(made, param)].filter((part) => part !== '').join('&');
          const answer = await made.target.send(`GET ${path}?${text}`, {
            as: query.as === undefined ? null : query.as,
          });
          if (query.refuses) expectRefusal(answer, param, query.refuses);
          else {
            expectBody(answer, 200, {});
            expect(namesIn(answer, path.slice(1), name, made.key)).toEqual(query.gives);
          }
        },
      })),
    ),
  );
}

/** The names on a page, without the key. */
export function namesIn({ body }: Answer, collection: string, name: string, key: string): readonly string[] {
  const items = (body as Readonly<Record<string, unknown>>)[collection] as
    | readonly Readonly<Record<string, unknown>>[]
    | undefined;
  return (items ?? []).map((item) => String(item[name]).replace(`${key} `, ''));
}

/** A field of a write: a value that is accepted, how it is shown, and a value that is refused. */
export interface Field {
  readonly takes: Known;
  readonly shows: Known<object>;
  readonly refuses: Known;
  readonly refusal?: Refusal;
  /** Fields to send along with it. */
  readonly beside?: Known<object>;
  readonly ours?: boolean;
  readonly oursRefuses?: boolean;
}
export type Fields = Readonly<Record<string, Field>>;

export const json = (fields: object, sent: Sent = {}): Sent => ({ ...sent, json: fields });
