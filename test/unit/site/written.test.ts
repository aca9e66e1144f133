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
  ['a page of events that were written before', page],
  ['one with others among them', { ...page, events: [...events, { id: 3 }] }],
  ['a page of one event', { ...page, events: [{ id: 3 }] }],
  ['an empty page', { ...page, events: [] }],
  ['one of nothing else', { events }],
  ['one whose events stand at the end', { total: 2, events }],
  ['a single event', events[0]],
  ['an event as a part of it', { event: events[0] }],
  ['something else that is called events', { events: 'none', total: 0 }],
  ['no object', null],
  ['a list', events],
  [
    'what a batch came to',
    {
      responses: [
        { body: events[0], status: 201, headers: [] },
        { body: null, status: 404 },
      ],
    },
  ],
  ['a batch that was not carried out', { failed: 'validation', responses: [null, { status: 400 }] }],
])('%s is the same JSON', async (_, body) => {
  for (const event of events) markLasting(event);
  expect(await textOf(body)).toBe(JSON.stringify(body));
  expect(Buffer.concat(await jsonPieces(body)).toString()).toBe(JSON.stringify(body));
});

test.each(['events', 'responses'])('others have their turn while long %s are written', async (name) => {
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
    /* Nothing else has its turn. */
  }
  return '';
}

test('what was written once is not written again', async () => {
  let written = 0;
  const event = { toJSON: () => `${(written += 1)}` };
  markLasting(event);
  markLasting(event);
  expect([await textOf({ ...page, events: [event] }), await textOf({ ...page, events: [event] })]).toEqual(
    Array.from({ length: 2 }, () => '{"events":["1"],"rest_url":"https://site.example/","total":2}'),
  );
});

test('what identifies an answer depends on nothing but its content', async () => {
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
