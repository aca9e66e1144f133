import { expect, test } from 'vitest';
import type { SiteClient, WriteAnswer } from '../../../src/client/site-client.ts';
import type { ExportedContents } from '../../../src/feeds/content/exported-contents.ts';
import { forgetEvent } from '../../../src/feeds/content/forget-event.ts';
import { outcomeOf } from '../../../src/run/write/outcome-of.ts';
import { withoutTwin } from '../../../src/run/write/resolve-open.ts';
import type { CreateEvent, RemoveEvent } from '../../../src/sync/model/plan.ts';
import { siteEvent } from '../../support/memory-site.ts';

const SLUG = 'jazz-abcdefghijklmn';
const event = { resource: 'events', slug: SLUG, title: 'Jazz', because: 'a test' } as const;
const answered = (status: number, code: string): WriteAnswer => ({ kind: 'answered', status, body: { code } });

/** The answers of sites to a DELETE, and whether they say that the event is gone. */
const ANSWERS: readonly [string, WriteAnswer, boolean][] = [
  ['an event in the trash', answered(410, 'event-is-in-trash'), true],
  ['an id that no longer exists', answered(404, 'rest-event-not-found'), true],
  ['an id that no longer exists, on older sites', answered(400, 'rest-invalid-event-id'), true],
  ['an unknown route', answered(404, 'rest_no_route'), false],
  ['a page of a proxy', { kind: 'answered', status: 404, body: undefined }, false],
  ['an event of someone else', answered(403, 'event-not-accessible'), false],
];

test.each(ANSWERS)('whether an event counts as trashed: %s', (_, answer, isAway) => {
  const action: RemoveEvent = { ...event, kind: 'remove', id: 7, how: 'trash', fields: {}, before: {} };
  expect(outcomeOf(action, answer).kind === 'done').toBe(isAway);
});

test.each(ANSWERS)('whether a duplicate counts as trashed: %s', async (_, answer, isAway) => {
  const action: CreateEvent = { ...event, kind: 'create', fields: {} };
  const client = {
    read: async () => siteEvent(7, { slug: SLUG }),
    write: async () => [answer],
  } as unknown as SiteClient;
  const made = { kind: 'done', id: 8, slug: `${SLUG}-2`, values: {} } as const;
  const outcome = await withoutTwin({ client, onWrite: () => undefined }, action, made);
  expect(outcome).toMatchObject(isAway ? { kind: 'done', id: 7, older: true } : { problem: { code: 'made-twice' } });
});

test.each(ANSWERS)('whether an event to forget counts as trashed: %s', async (_, answer, isAway) => {
  const client = {
    read: async () => siteEvent(7),
    async *list() {},
    write: async () => [answer],
  } as unknown as SiteClient;
  const contents = { forget: async () => [] } as unknown as ExportedContents;
  const forgotten = await forgetEvent({ client, contents }, 'event-7', 0).catch((error: unknown) => error);
  expect(forgotten).toMatchObject(isAway ? { trashed: true } : { code: 'event-not-trashed' });
});

test('marking an event whose address is unknown does not count as done', () => {
  const action: RemoveEvent = { ...event, kind: 'remove', id: 7, how: 'cancel', fields: {}, before: {} };
  expect(outcomeOf(action, answered(404, 'event-not-found'))).toMatchObject({ problem: { code: 'event-removed' } });
});
