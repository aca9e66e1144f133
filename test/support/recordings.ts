import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { eventAnswer } from '../../src/contract/event-fields.ts';
import { schemasOf } from '../../src/contract/shape.ts';

// Recorded exchanges of a real site, replayed against the built-in one: what the two must agree on, and how recorded
// ids are mapped to ours.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface Exchange {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly as?: string | null;
    readonly body?: Json;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Json;
  };
}

const folder = new URL(
  `${process.env['CALSYNCD_CORPUS'] ?? '../shared'}/recordings/`,
  new URL('../../', import.meta.url),
);
/** The missing folder of the recordings; null if it exists. */
export const recordingsMissing: string | null = existsSync(folder) ? null : folder.pathname;

/** The exchanges of one file; none if the corpus is missing. */
export const recordedIn = (file: string): readonly Exchange[] =>
  recordingsMissing === null
    ? readFileSync(new URL(`${file}.jsonl`, folder), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Exchange)
    : [];

// No object of ours has such an id.
const UNKNOWN = 1_000_000_000;

/** Maps recorded ids to ours. Posts and images share their numbers, terms have their own. */
export class Ids {
  readonly #ours = new Map<string, number>();
  learn(kind: 'post' | 'term', recorded: number, ours: number): void {
    this.#ours.set(`${kind}:${recorded}`, ours);
  }
  /** Forgets an id whose object was deleted by other means. */
  forget(kind: 'post' | 'term', recorded: number): void {
    this.#ours.delete(`${kind}:${recorded}`);
  }
  ours(kind: 'post' | 'term', recorded: number): number {
    return this.#ours.get(`${kind}:${recorded}`) ?? recorded + UNKNOWN;
  }

  /** Learns ids from two answers about the same things. */
  learnFrom(recorded: Json, ours: Json): void {
    if (Array.isArray(recorded) && Array.isArray(ours))
      for (const [index, item] of recorded.entries()) this.learnFrom(item, (ours as readonly Json[])[index] ?? null);
    if (!isObject(recorded) || !isObject(ours)) return;
    if (typeof recorded['id'] === 'number' && typeof ours['id'] === 'number')
      this.learn('taxonomy' in recorded ? 'term' : 'post', recorded['id'], ours['id']);
    for (const key of ['venue', 'organizer', 'categories', 'tags', 'image', 'venues', 'organizers'])
      this.learnFrom(recorded[key] ?? null, ours[key] ?? null);
  }

  /** A recorded request's path and query with our ids. */
  path(path: string): string {
    const [route = '', query = ''] = path.split('?');
    const own = route
      .replace('/wp-json/tribe/events/v1', '')
      .replace(
        /\/(events|venues|organizers)\/(\d+)/,
        (_, name: string, id: string) => `/${name}/${this.ours('post', Number(id))}`,
      )
      .replace(
        /\/(categories|tags)\/(\d+)/,
        (_, name: string, id: string) => `/${name}/${this.ours('term', Number(id))}`,
      );
    const mapped = query
      .replace(
        /\b(venue|organizer|include)(\[\])?=([\d,]+)/g,
        (_, name: string, brackets = '', list: string) => `${name}${brackets}=${this.#list('post', list)}`,
      )
      .replace(
        /\b(categories|tags)(\[\])?=([\w,-]+)/g,
        (_, name: string, brackets = '', list: string) => `${name}${brackets}=${this.#list('term', list)}`,
      );
    return mapped === '' ? own : `${own}?${mapped}`;
  }

  #list(kind: 'post' | 'term', list: string): string {
    return list
      .split(',')
      .map((one) => (/^\d+$/.test(one) ? String(this.ours(kind, Number(one))) : one))
      .join(',');
  }

  /** A recorded request's body with our ids. */
  body(body: Json | undefined): Json | undefined {
    if (!isObject(body)) return body;
    const map = (kind: 'post' | 'term', value: Json): Json =>
      typeof value === 'number'
        ? value > 0
          ? this.ours(kind, value)
          : value
        : typeof value === 'string' && /^[1-9]\d*$/.test(value) && kind === 'post'
          ? String(this.ours(kind, Number(value)))
          : Array.isArray(value)
            ? value.map((one) => map(kind, one as Json))
            : isObject(value) && 'id' in value
              ? { ...value, id: map(kind, value['id']!) }
              : value;
    const kinds: Readonly<Record<string, 'post' | 'term'>> = {
      venue: 'post',
      organizer: 'post',
      categories: 'term',
      tags: 'term',
      parent: 'term',
    };
    return Object.fromEntries(
      Object.entries(body).map(([key, value]) => [key, kinds[key] ? map(kinds[key], value) : value]),
    );
  }
}

// What differs between any two sites, and what our site words in its own way (json_ld, _links).
const IGNORED = new Set([
  'count',
  'term_taxonomy_id',
  'meta',
  'json_ld',
  '_links',
  'author',
  'filesize',
  'width',
  'height',
  'sizes',
  'global_id',
  'global_id_lineage',
  'url',
  'urls',
]);
// Optional fields of an event in the contract, which real sites do not have.
const OURS = new Set(Object.keys(schemasOf(eventAnswer).optional));

/**
 * An answer reduced to what two sites must agree on: codes, statuses, shapes and values. Sentences, ids, addresses and
 * the time of the recording are left out.
 */
export function comparable(value: Json, ids?: Ids): Json {
  if (Array.isArray(value)) return value.map((one) => comparable(one as Json, ids));
  if (!isObject(value)) return typeof value === 'string' ? plainText(value) : value;
  if (typeof value['code'] === 'string' && 'data' in value)
    return { code: value['code'], data: withoutSentences(value['data'] ?? null) };
  const entries = Object.entries(value).filter(
    ([key, inner]) =>
      !IGNORED.has(key) && !OURS.has(key) && !(key === 'modified_utc' && inner === '0000-00-00 00:00:00'),
  );
  return Object.fromEntries(
    entries.flatMap(([key, inner]): [string, Json][] => {
      if (key === 'id') return [[key, ids ? ids.ours('taxonomy' in value ? 'term' : 'post', Number(inner)) : inner]];
      if (key === 'parent') return [[key, ids && inner !== 0 ? ids.ours('term', Number(inner)) : inner]];
      if (/^(?:date|modified)(?:_utc)?$/.test(key))
        return [[key, String(inner).replace(/^2026-11-20 1\d:\d\d:\d\d$/, 'now')]].filter(
          ([name]) => name !== 'modified_utc',
        ) as [string, Json][];
      // The address of a page is reduced to its parameters. Those of terms lose all of them on real sites.
      if (key.endsWith('rest_url'))
        return key === 'rest_url' && 'title' in value
          ? []
          : [[key, isTermPage(value) ? 'terms' : parameters(String(inner), ids)]];
      if (key === 'website' && /^https:\/\/site\.example\/(?:event\/|\?)/.test(String(inner)))
        return [[key, 'own page']];
      if (key === 'image' && isObject(inner)) return [[key, { extension: inner['extension'] ?? '' }]];
      return [[key, comparable(inner, ids)]];
    }),
  );
}

const isTermPage = (value: JsonObject): boolean => ('categories' in value || 'tags' in value) && 'total' in value;
const plainText = (text: string): string => text.replaceAll('tribe_', 'calendar_').replaceAll('tribe/', 'calendar/');

function withoutSentences(data: Json): Json {
  if (!isObject(data)) return data;
  const { params, details, term_id: _, ...rest } = data as Record<string, Json>;
  const names = Array.isArray(params) ? params : isObject(params ?? null) ? Object.keys(params as JsonObject) : null;
  const codes = isObject(details ?? null)
    ? Object.entries(details as JsonObject).map(([key, inner]) => `${key}: ${String((inner as JsonObject)['code'])}`)
    : null;
  return { ...rest, ...(names && { params: names }), ...(codes && { details: codes }) };
}

/**
 * The parameters of a link, sorted and with our ids. Real sites leave some out, and add `status=any`, which they refuse
 * themselves.
 */
function parameters(link: string, ids?: Ids): Json {
  const { pathname, searchParams } = new URL(
    ids ? `https://site.example${ids.path(link.replace('https://site.example', ''))}` : link,
  );
  const kept = [...searchParams].filter(
    ([name, value]) =>
      ![
        'categories',
        'categories[]',
        'tags',
        'strict_dates',
        'featured',
        'search',
        'hide_empty',
        'slug',
        'geoloc',
        'geoloc_lat',
        'geoloc_lng',
      ].includes(name) && !(name === 'status' && value === 'any'),
  );
  return [pathname.replace(/^.*\/(?=[a-z]+\/?$)/, ''), ...kept.map(([name, value]) => `${name}=${value}`).sort()];
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const agree = (recorded: Json, ours: Json): boolean => isDeepStrictEqual(recorded, ours);
