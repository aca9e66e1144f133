import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/site/context.ts';
import { builtinSite, type TestSite } from '../support/builtin-site.ts';
import {
  agree,
  comparable,
  Ids,
  isObject,
  recordedIn,
  recordingsMissing,
  type Exchange,
  type Json,
  type JsonObject,
} from '../support/recordings.ts';
import { deviations, foreign, setUps } from './replay-table.ts';

if (recordingsMissing !== null)
  process.stderr.write(`Not run: the recordings are not in ${recordingsMissing} (set CALSYNCD_CORPUS).\n`);

// Each group was recorded in order on one site.
const GROUPS = [
  ['02-lists', '03-create-event', '04-read', '05-update', '06-delete'],
  ['08-venues-organizers-terms'],
  ['09-filters'],
];
const ROLES: Readonly<Record<string, Role>> = {
  admin: 'administrator',
  editor: 'editor',
  author: 'author',
  contributor: 'contributor',
  subscriber: 'subscriber',
};
// A real site resets these fields in an update that does not name them; the built-in site keeps them (interface.md:
// "full or partial").
const RESET = [
  'status',
  'date',
  'date_utc',
  'all_day',
  'cost',
  'cost_details',
  'website',
  'image',
  'organizer',
  'show_map',
  'show_map_link',
  'hide_from_listings',
  'sticky',
  'featured',
  'timezone',
  'timezone_abbr',
  'stateprovince',
];
const TIMES = [
  'start_date',
  'end_date',
  'utc_start_date',
  'utc_end_date',
  'start_date_details',
  'end_date_details',
  'utc_start_date_details',
  'utc_end_date_details',
];

const tally = { agree: 0, deviate: 0, foreign: 0 };
afterAll(() => {
  if (recordingsMissing === null)
    process.stderr.write(
      `Recorded exchanges: ${tally.agree} agree, ${tally.deviate} deviate as listed, ${tally.foreign} are of other interfaces.\n`,
    );
});

describe.skipIf(recordingsMissing !== null).each(GROUPS)('%s', (...files) => {
  let site: TestSite;
  const ids = new Ids();
  beforeAll(async () => {
    site = await builtinSite({ languages: [] });
  });
  afterAll(async () => {
    await site.close();
  });

  const ask = async (as: string | null | undefined, method: string, path: string, body?: Json) => {
    site.clock.now += 1000;
    return site.ask(as ? (ROLES[as] ?? null) : null, method, ids.path(path), ids.body(body));
  };

  it.each(files.flatMap(recordedIn).map((exchange) => [exchange.name, exchange] as const))(
    '%s',
    async (name, exchange) => {
      if (foreign(exchange)) {
        tally.foreign += 1;
        return;
      }
      for (const { as = 'admin', method = 'POST', path, body, id, kind = 'post' } of setUps(exchange)) {
        if (path === '') ids.forget(kind, id ?? 0);
        if (path === '') continue;
        const made = await ask(as, method, path, body);
        if (made.status >= 300) throw new Error(`set-up failed: ${JSON.stringify(made.body)}`);
        if (id !== undefined) ids.learn(kind, id, Number(made.body['id']));
      }
      const { method, path, as, body } = exchange.request;
      const before = isUpdate(exchange) ? ((await ask('admin', 'GET', path)).body as unknown as Json) : null;
      const ours = await ask(as, method, path, body);
      expect(site.errors).toEqual([]);
      const deviation = deviations[name];
      const recorded = exchange.response.body;
      if (ours.status < 300 && exchange.response.status < 300) {
        if (deviation === undefined) ids.learnFrom(recorded, ours.body as unknown as Json);
        // A deviation may have other nested objects, so only its own id is learned.
        else if (isObject(recorded) && typeof recorded['id'] === 'number' && path.endsWith('/events'))
          ids.learn('post', recorded['id'], Number(ours.body['id']));
      }
      const recordedAnswer = { status: exchange.response.status, body: comparable(partly(exchange, before), ids) };
      const actual = { status: ours.status, body: comparable(lessTimes(exchange, ours.body as unknown as Json)) };
      // A listed deviation that now agrees must be removed from the list.
      const expected =
        deviation === undefined ? recordedAnswer : { differs: true, status: deviation.status, code: deviation.code };
      expect(
        deviation === undefined
          ? actual
          : {
              differs: !agree(recordedAnswer as Json, actual as Json),
              status: ours.status,
              code: deviation.code && ours.body['code'],
            },
      ).toEqual(expected);
      tally[deviation === undefined ? 'agree' : 'deviate'] += 1;
      // Deletes what a real site did not create, so that later exchanges find the recorded state.
      if (ours.status === 201 && deviation?.undo)
        await site.ask('administrator', 'DELETE', `${ids.path(path.split('?')[0]!)}/${String(ours.body['id'])}`);
    },
  );

  /** The recorded answer to an update, but with our previous values for the fields that it did not name. */
  function partly(exchange: Exchange, before: Json): Json {
    const {
      response: { body },
      request,
    } = exchange;
    if (!isUpdate(exchange) || !isObject(body) || !isObject(before) || 'code' in body || 'code' in before)
      return lessTimes(exchange, body);
    const named = isObject(request.body) ? request.body : {};
    const kept = RESET.filter(
      (field) =>
        !(field in named) &&
        !(field === 'cost_details' && 'cost' in named) &&
        !(field === 'timezone_abbr' && 'timezone' in named) &&
        !(field === 'date_utc' && ('status' in named || 'date' in named)),
    );
    const restored = Object.fromEntries(
      kept.filter((field) => field in before).map((field) => [field, ourOwn(before[field]!)]),
    );
    return lessTimes(exchange, { ...without(body, kept), ...restored });
  }

  // Prepares our own values for the recorded answer, so that mapping their ids leaves them unchanged.
  function ourOwn(value: Json): Json {
    if (Array.isArray(value)) return value.map((one) => ourOwn(one as Json));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, key === 'id' ? reverse(Number(inner)) : ourOwn(inner)]),
    );
  }
  const reverse = (ours: number): number =>
    Array.from({ length: 400 }, (_, recorded) => recorded).find((recorded) => ids.ours('post', recorded) === ours) ??
    ours;
});

/**
 * Leaves out the times if an update does not name both zone and `all_day`: a real site resets the two, which changes
 * the times.
 */
function lessTimes(exchange: Exchange, body: Json): Json {
  const named = isObject(exchange.request.body) ? exchange.request.body : {};
  return !isUpdate(exchange) || !isObject(body) || ('timezone' in named && 'all_day' in named) || 'code' in body
    ? body
    : without(body, TIMES);
}

const isUpdate = ({ request: { method, path } }: Exchange): boolean =>
  /^(?:POST|PUT|PATCH)$/.test(method) && /\/(?:events|venues|organizers)\/(?:\d+|by-slug\/)/.test(path);
const without = (body: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !fields.includes(key)));
