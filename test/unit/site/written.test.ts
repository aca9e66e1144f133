import { expect, test } from 'vitest';
import { jsonOf, writeOnce } from '../../../src/site/written.ts';

const events = [
  { id: 1, title: 'Jazz "live"' },
  { id: 2, title: 'Ćma' },
];
const page = { events, rest_url: 'https://site.example/', total: 2 };

test.each<[string, unknown]>([
  ['a page of events that were written before', page],
  ['one with others among them', { ...page, events: [...events, { id: 3 }] }],
  ['an empty page', { ...page, events: [] }],
  ['one of nothing else', { events }],
  ['a single event', events[0]],
  ['an event as a part of it', { event: events[0] }],
  ['no object', null],
  ['a list', events],
])('%s is the same JSON', (_, body) => {
  for (const event of events) writeOnce(event);
  expect(jsonOf(body)).toBe(JSON.stringify(body));
});

test('what was written once is not written again', () => {
  let written = 0;
  const event = { toJSON: () => `${(written += 1)}` };
  writeOnce(event);
  writeOnce(event);
  expect([jsonOf({ ...page, events: [event] }), jsonOf({ ...page, events: [event] })]).toEqual(
    Array.from({ length: 2 }, () => '{"events":["1"],"rest_url":"https://site.example/","total":2}'),
  );
});
