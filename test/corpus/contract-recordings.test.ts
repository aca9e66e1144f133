import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Args } from '../../src/contract/arg.ts';
import { api } from '../../src/contract/api.ts';
import { checkArgs } from '../../src/contract/check.ts';
import { describeRoute, routeKey, routesOf, type RouteEntry } from '../../src/contract/describe.ts';

// Compares what real sites published and refused (recordings of the corpus) with the contract's declarations.
const folder = new URL(
  `${process.env['CALSYNCD_CORPUS'] ?? '../shared'}/recordings/`,
  new URL('../../', import.meta.url),
);
const present = existsSync(folder);
if (!present) process.stderr.write(`Not run: the recordings are not in ${folder.pathname} (set CALSYNCD_CORPUS).\n`);

interface Exchange {
  readonly name: string;
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly response: { readonly status: number; readonly body: unknown };
}
const exchanges = (file: string): readonly Exchange[] =>
  present
    ? readFileSync(new URL(file, folder), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Exchange)
    : [];

const linksIn = ({ _links: links }: RouteEntry): string | undefined => JSON.stringify(links);
const context = {
  now: Date.parse('2026-11-20T10:40:59Z'),
  timezone: 'Europe/Warsaw',
  languages: [],
  namespace: 'calendar/events/v1',
};
const routes = routesOf(api, 'calendar/events/v1');

describe.skipIf(!present)('the published arguments', () => {
  const recorded = present
    ? (exchanges('01-index.jsonl')[0]!.response.body as { routes: Record<string, RouteEntry> }).routes
    : {};
  // Not in the recordings: languages (an extension on real sites), coordinates, and passwords for new events and by
  // slug.
  const OURS = ['translation_language', 'geo_lat', 'geo_lng', 'password'];
  it.each(Object.entries(recorded))('%s', (key, entry) => {
    const route = routes.find(({ path }) => routeKey(path) === key.replace('tribe', 'calendar'));
    expect(route).toBeDefined();
    const described = describeRoute(route!, { ...context, root: 'https://site.example/wp-json/' });
    expect(described.methods).toEqual(entry.methods);
    expect(described.endpoints.map(({ methods }) => methods)).toEqual(entry.endpoints.map(({ methods }) => methods));
    for (const [index, { args }] of entry.endpoints.entries())
      expect(shown(described.endpoints[index]!.args)).toEqual(shown(args));
    expect(linksIn(described)?.replace('calendar', 'tribe')).toEqual(linksIn(entry));
  });

  function shown(args: object): object {
    return Object.fromEntries(
      Object.entries(args)
        .filter(([name]) => !OURS.includes(name))
        .map(([name, about]: [string, Record<string, unknown>]) => {
          const { description: _, ...rest } = about;
          return [name, JSON.parse(JSON.stringify(rest).replaceAll('tribe', 'calendar')) as object];
        }),
    );
  }
});

// Refused because of the site's content (ids, slugs, files), not because of the request's form.
const BY_CONTENT =
  /unknown|idmissing|404|wrong-type|venue-eventid|post_parent|again|status-draft|head-405|ctype|as-(?:contributor|subscriber)/;
// contract.md, section 16: refused by a real site, but accepted by the built-in one.
const TAKEN = ['321-update-clear-description', '325-update-clear-image'];

describe.skipIf(!present)('refusals', () => {
  const refused = [
    '03-create-event',
    '05-update',
    '08-venues-organizers-terms',
    '09-filters',
    '10-batch',
    '13-hard-cases',
  ]
    .flatMap((file) => exchanges(`${file}.jsonl`))
    .filter(
      ({ request, response }) =>
        /rest_(?:invalid|missing)/.test(JSON.stringify(response.body).slice(0, 60)) &&
        response.status === 400 &&
        !request.path.includes('/wp/v2/'),
    );
  const rows = refused
    .filter(({ name }) => !BY_CONTENT.test(name) && !TAKEN.includes(name))
    .map((exchange) => [exchange.name, exchange] as const);
  it.each(rows)('%s', (_, { request, response }) => {
    const checked = checkRecorded(request);
    expect(JSON.parse(JSON.stringify(checked), withoutReason)).toEqual({ ok: false, error: response.body });
  });
  it('are more than 20', () => expect(rows.length).toBeGreaterThan(20));
});

describe.skipIf(!present)('what real sites accept', () => {
  const files = ['03-create-event', '05-update', '08-venues-organizers-terms', '09-filters', '13-hard-cases'];
  const taken = files
    .flatMap((file) => exchanges(`${file}.jsonl`))
    .filter(({ request, response }) => response.status < 300 && /tribe\/events\/v1\/[a-z]/.test(request.path));
  // A body that is a string in the recording was sent as a form.
  it.each(
    taken
      .filter(({ request }) => typeof request.body !== 'string')
      .map((exchange) => [exchange.name, exchange] as const),
  )('%s', (_, { request }) => {
    expect(checkRecorded(request)).toMatchObject({ ok: true });
  });
});

/** Our messages go on after the same two words, saying what is expected. */
const withoutReason = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^(Invalid parameter\.) \S.*/s, '$1') : value;

function checkRecorded({ method, path, body }: Exchange['request']) {
  const url = new URL(path.replace('/wp-json/', '/').replace('tribe', 'calendar'), 'https://site.example');
  const query: Record<string, unknown> = {};
  for (const [name, value] of url.searchParams) {
    if (name.endsWith('[]')) query[name.slice(0, -2)] = [...((query[name.slice(0, -2)] as unknown[]) ?? []), value];
    else query[name] = value;
  }
  for (const { path: pattern, endpoints } of routes) {
    const match = new RegExp(
      `^${pattern.replace('{id}', String.raw`(?<id>\d+)`).replace('{slug}', '(?<slug>[^/]+)')}/?$`,
      'i',
    ).exec(url.pathname);
    const endpoint = match && endpoints.find(({ methods }) => methods.some((one) => one === method));
    const raw = { ...match?.groups, ...query, ...(typeof body === 'object' ? body : {}) };
    if (endpoint) return checkArgs(endpoint.args as Args, raw, context);
  }
  throw new Error(`no endpoint for ${method} ${path}`);
}
