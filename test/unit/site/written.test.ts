import { expect, test } from 'vitest';
import { entityTag, tagOf } from '../../../src/etag.ts';
import { writeOnce, writtenJson, writtenText } from '../../../src/site/written.ts';

const events = [
  { id: 1, title: 'Jazz "live"' },
  { id: 2, title: 'Ćma' },
];
const page = { events, rest_url: 'https://site.example/', total: 2 };

const textOf = (body: unknown): string => Buffer.concat(writtenJson(body).pieces).toString();

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
])('%s is the same JSON', (_, body) => {
  for (const event of events) writeOnce(event);
  expect(textOf(body)).toBe(JSON.stringify(body));
});

test('what was written once is not written again', () => {
  let written = 0;
  const event = { toJSON: () => `${(written += 1)}` };
  writeOnce(event);
  writeOnce(event);
  expect([textOf({ ...page, events: [event] }), textOf({ ...page, events: [event] })]).toEqual(
    Array.from({ length: 2 }, () => '{"events":["1"],"rest_url":"https://site.example/","total":2}'),
  );
});

test('what identifies an answer depends on nothing but its content', () => {
  const copy = structuredClone(page);
  expect(writtenJson(copy).digest).toBe(writtenJson(page).digest);
  const others = [
    { ...page, total: 3 },
    { ...page, events: events.slice(0, 1) },
    { ...page, events: events.toReversed() },
    { ...page, events: [{ id: 1 }, { id: 2 }] },
  ];
  expect(new Set([page, ...others].map((body) => writtenJson(body).digest)).size).toBe(others.length + 1);
  expect(tagOf(writtenJson({ id: 1 }).digest)).toBe(entityTag('{"id":1}'));
  expect(tagOf(writtenText('<p>').digest)).toBe(entityTag('<p>'));
});
