import { expect } from 'vitest';
import type { Api } from '../../../src/contract/api.ts';
import type { Role } from '../../../src/site/roles.ts';
import type { Answer, Sent } from '../../support/contract-target.ts';
import type { Made } from './made.ts';

export type EndpointName = keyof Api;

/** One use of one parameter of one endpoint by one method: a value that works, or one that does not. */
export interface Case {
  readonly endpoint: EndpointName;
  readonly method: string;
  readonly param: string;
  readonly sign: 'positive' | 'negative';
  readonly about: string;
  /** Asked of our own site only: real ones do otherwise (contract.md, section 16) or have no such thing. */
  readonly ours?: boolean;
  /** Whether the site must have an image. */
  readonly needsImage?: boolean;
  readonly run: (made: Made) => Promise<void>;
}

/** A value, or how it is found in what was made. */
export type Known<T = unknown> = T | ((made: Made) => T);
export const known = <T>(value: Known<T>, made: Made): T =>
  typeof value === 'function' ? (value as (made: Made) => T)(made) : value;

/** What a refusal must be: its status, its code, and the parameter that it names, where it names one. */
export interface Refusal {
  readonly status?: number;
  readonly code?: string;
  readonly names?: string;
}

/** Checks that an answer refuses, and names the parameter. */
export function expectRefusal(
  { status, body, text }: Answer,
  param: string,
  { status: expected = 400, code = 'rest_invalid_param', names }: Refusal = {},
): void {
  expect([status, body.code ?? text.slice(0, 500)]).toEqual([expected, code]);
  if (code !== 'rest_invalid_param' && names === undefined) return;
  expect(Object.keys((body.data?.['params'] ?? {}) as object)).toEqual([names ?? param]);
}

/** Checks that an answer is a success with such a body. */
export function expectBody({ status, body, text }: Answer, expectedStatus: number, shown: object): void {
  expect([status, status === expectedStatus ? '' : text.slice(0, 500)]).toEqual([expectedStatus, '']);
  expect(body).toMatchObject(shown);
}

/** One query of a list: the names it gives, in order, or why it is refused. */
export interface Query {
  readonly query: Known<string>;
  readonly as?: Role | null;
  /** Titles without the key. */
  readonly gives?: readonly string[];
  readonly refuses?: Refusal;
  readonly ours?: boolean;
}

/**
 * The cases of a list: of each parameter queries that work and queries that do not. `within` keeps out what others have
 * made.
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

/** The names in a page, less the key. */
export function namesIn({ body }: Answer, collection: string, name: string, key: string): readonly string[] {
  const items = (body as Readonly<Record<string, unknown>>)[collection] as
    | readonly Readonly<Record<string, unknown>>[]
    | undefined;
  return (items ?? []).map((item) => String(item[name]).replace(`${key} `, ''));
}

/** A field of a write: a value that is taken and what is then shown, a value that is refused. */
export interface Field {
  readonly takes: Known;
  readonly shows: Known<object>;
  readonly refuses: Known;
  readonly refusal?: Refusal;
  /** What is sent beside it. */
  readonly beside?: Known<object>;
  readonly ours?: boolean;
  readonly oursRefuses?: boolean;
}
export type Fields = Readonly<Record<string, Field>>;

export const json = (fields: object, sent: Sent = {}): Sent => ({ ...sent, json: fields });
