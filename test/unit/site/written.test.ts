import { expect, test } from 'vitest';
import { entityTag, tagOf } from '../../../src/etag.ts';
import { markLasting } from '../../../src/site/made-once.ts';
import { jsonPieces, writtenJson, writtenText } from '../../../src/site/written.ts';

const events = [
  { id: 1, title: 'Jazz "live"' },
  { id: 2, title: 'Ćma' },
];
const page = { events, rest_url: 'https://site.example/', total: 2 };

const textOf = async (body: unknown): Promise<string> => Buffer.concat((await writtenJson(body)).pieces).toString();
const digestOf = async (body: unknown): Promise<string> => (await writtenJson(body)).digest;

test.each<[string, unknown]>([
  ['a page of lasting events', page],
  ['a page with another event among them', { ...page, events: [...events, { id: 3 }] }],
  ['a page of one other event', { ...page, events: [{ id: 3 }] }],
  ['an empty page', { ...page, events: [] }],
  ['a page without other members', { events }],
  ['a page with its events at the end', { total: 2, events }],
  ['a single event', events[0]],
  ['an object that contains an event', { event: events[0] }],
  ['a member "events" that is not a list', { events: 'none', total: 0 }],
  ['null', null],
  ['a list', events],
  [
    'the responses of a batch',
    {
      responses: [
        { body: events[0], status: 201, headers: [] },
        { body: null, status: 404 },
      ],
    },
  ],
  ['a batch that failed validation', { failed: 'validation', responses: [null, { status: 400 }] }],
])('%s is written as JSON.stringify writes it', async (_, body) => {
  for (const event of events) markLasting(event);
  expect(await textOf(body)).toBe(JSON.stringify(body));
  expect(Buffer.concat(await jsonPieces(body)).toString()).toBe(JSON.stringify(body));
});

test.each(['events', 'responses'])('other work gets its turn while long %s are written', async (name) => {
  let turns = 0;
  const members = Array.from({ length: 5 }, () => ({ toJSON: () => busyFor(25) }));
  const timer = setInterval(() => {
    turns += 1;
  });
  await jsonPieces({ [name]: members });
  await writtenJson({ [name]: members });
  clearInterval(timer);
  expect(turns).toBeGreaterThanOrEqual(8);
});

function busyFor(ms: number): string {
  const begun = performance.now();
  while (performance.now() - begun < ms) {
    /* Blocks the event loop. */
  }
  return '';
}

test('a lasting event is serialized once', async () => {
  let written = 0;
  const event = { toJSON: () => `${(written += 1)}` };
  markLasting(event);
  markLasting(event);
  expect([await textOf({ ...page, events: [event] }), await textOf({ ...page, events: [event] })]).toEqual(
    Array.from({ length: 2 }, () => '{"events":["1"],"rest_url":"https://site.example/","total":2}'),
  );
});

test('the tag of a response depends on its content only', async () => {
  const copy = structuredClone(page);
  expect(await digestOf(copy)).toBe(await digestOf(page));
  const others = [
    { ...page, total: 3 },
    { ...page, events: events.slice(0, 1) },
    { ...page, events: events.toReversed() },
    { ...page, events: [{ id: 1 }, { id: 2 }] },
  ];
  expect(new Set(await Promise.all([page, ...others].map(digestOf))).size).toBe(others.length + 1);
  expect(tagOf(await digestOf({ id: 1 }))).toBe(entityTag('{"id":1}'));
  expect(tagOf(writtenText('<p>').digest)).toBe(entityTag('<p>'));
});
