import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/site/context.ts';
import { builtinSite, type TestSite } from '../support/builtin-site.ts';
import { recordedIn, recordingsMissing } from '../support/recordings.ts';

if (recordingsMissing !== null)
  process.stderr.write(`Not run: the recordings are not in ${recordingsMissing} (set CALSYNCD_CORPUS).\n`);

// What each role may do, as a real site answered. Wrong credentials are tested in test/integration/site.
const ROLES: Readonly<Record<string, Role>> = {
  admin: 'administrator',
  editor: 'editor',
  author: 'author',
  contributor: 'contributor',
  subscriber: 'subscriber',
};
const rows = recordedIn('07-access')
  .filter(({ request: { path, as } }) => path.includes('/tribe/events/v1/') && (!as || as in ROLES))
  .map((exchange) => [exchange.name, exchange] as const);

// Where the built-in site is stricter, and why.
const DEVIATIONS: Readonly<Record<string, readonly [status: number, code: string]>> = {
  // New terms can only be created by users with the right to create terms.
  '426-event-newtag-newcat-as-author': [403, 'rest_forbidden'],
  '426-event-newtag-newcat-as-contributor': [403, 'rest_forbidden'],
  // Users who may not create events at all get this answer, whatever else is wrong.
  '427-event-image-as-subscriber': [403, 'rest_forbidden'],
};

describe.skipIf(recordingsMissing !== null)('access', () => {
  let site: TestSite;
  let event = 0;
  beforeAll(async () => {
    site = await builtinSite();
    const { body } = await site.ask('administrator', 'POST', '/events', {
      title: 'Koncert',
      start_date: '2027-01-10 18:00:00',
      end_date: '2027-01-10 20:00:00',
    });
    event = (body as { id: number }).id;
  });
  afterAll(() => site.close());

  it.each(rows)('%s', async (name, { request, response }) => {
    const path = request.path
      .replace('/wp-json/tribe/events/v1', '')
      .replace(/^\/events\/(?:7|83)$/, `/events/${event}`);
    const { status, body, headers } = await site.ask(
      request.as ? ROLES[request.as]! : null,
      request.method,
      path,
      request.body ?? undefined,
    );
    const code = (body as { code?: string }).code;
    expect([status, code]).toEqual(DEVIATIONS[name] ?? [response.status, (response.body as { code?: string }).code]);
    expect(headers.get('allow')).toBe(response.headers['allow']);
    expect(site.errors).toEqual([]);
  });
  it('covers more than 30 recorded requests', () => expect(rows.length).toBeGreaterThan(30));
});
