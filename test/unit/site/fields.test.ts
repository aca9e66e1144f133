import { expect, it } from 'vitest';
import { fieldsOf } from '../../../src/site/requests/fields.ts';

const event = { id: 7, venue: { id: 9, city: 'Hel' }, tags: [{ id: 1 }], cost_details: { values: ['5'] } };
it.each([
  [undefined, event],
  ['', event],
  [['id'], { id: 7 }],
  ['id', { id: 7 }],
  [' id , nope', { id: 7 }],
  ['nope', []],
  ['venue.city', { venue: { city: 'Hel' } }],
  ['venue,venue.city', { venue: event.venue }],
  ['venue.city,venue', { venue: event.venue }],
  ['venue.nope', { venue: [] }],
  // As recorded: a dotted key into a list takes nothing.
  ['tags.id', { tags: [] }],
  ['id.x', { id: 7 }],
  ['__proto__', []],
  ['constructor', []],
])('_fields=%j', (fields, expected) => expect(fieldsOf(event, fields)).toEqual(expected));
it('_fields of a list are those of each item', () =>
  expect(fieldsOf([event, event], 'id')).toEqual([{ id: 7 }, { id: 7 }]));
