import { expect, test } from 'vitest';
import { differenceIn } from '../../../src/run/write/as-sent.ts';
import type { Write } from '../../../src/client/site-client.ts';

const KEYED = 'jazz-abcdefghijklmn';
const create = (body: object = {}): Write => ({
  method: 'POST',
  path: '/events',
  body: { slug: KEYED, status: 'publish', ...body },
});
const update = (path: string, body: object = { status: 'publish' }): Write => ({
  method: 'POST',
  path,
  body: { ...body },
});

test.each<[string, Write, object, unknown]>([
  ['what was sent', create(), { status: 'publish', slug: KEYED }, undefined],
  ['a numbered slug where its own is taken', create(), { status: 'publish', slug: `${KEYED}-2` }, undefined],
  ['published from its date on', create(), { status: 'future', slug: KEYED }, undefined],
  ['waiting for an editor', create(), { status: 'pending', slug: '' }, { status: 'publish', slug: true }],
  ['waiting, with its slug', create(), { status: 'pending', slug: KEYED }, { status: 'publish' }],
  ['another slug', create(), { status: 'publish', slug: 'jazz' }, { slug: true }],
  ['a draft that was sent as one', create({ status: 'draft' }), { status: 'draft', slug: KEYED }, undefined],
  ['an update under its slug', update(`/events/by-slug/${KEYED}`), { status: 'publish', slug: KEYED }, undefined],
  [
    'an update that has lost its slug',
    update(`/events/by-slug/${KEYED}`),
    { status: 'pending', slug: '' },
    { status: 'publish', slug: true },
  ],
  [
    'an update by id, of a slug that we never knew',
    update('/events/7'),
    { status: 'publish', slug: 'made-by-hand' },
    undefined,
  ],
  ['an update by id that has lost its slug', update('/events/7'), { status: 'publish', slug: '' }, { slug: true }],
  [
    'an update without a status',
    update(`/events/by-slug/${KEYED}`, { title: 'Jazz' }),
    { status: 'draft', slug: KEYED },
    undefined,
  ],
  [
    'the trash, with the suffix for trashed slugs',
    { method: 'DELETE', path: '/events/7' },
    { status: 'trash', slug: `${KEYED}__trashed` },
    undefined,
  ],
  [
    'a removal that has not reached the trash',
    { method: 'DELETE', path: '/events/7' },
    { status: 'publish', slug: KEYED },
    { status: 'trash' },
  ],
  [
    'a venue',
    { method: 'POST', path: '/venues', body: { venue: 'Hall' } },
    { status: 'draft', slug: 'hall' },
    undefined,
  ],
])('what an answer shows in place of what was sent: %s', (_, write, body, difference) => {
  expect(differenceIn(write, { kind: 'answered', status: 200, body })).toEqual(difference);
});

test('a refusal and a lost answer count as no difference', () => {
  expect(differenceIn(create(), { kind: 'answered', status: 403, body: { code: 'rest_forbidden' } })).toBeUndefined();
  expect(differenceIn(create(), { kind: 'lost', message: 'reset' })).toBeUndefined();
});
