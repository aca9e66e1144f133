import { describe, expect, it } from 'vitest';
import type { Status } from '../../../../src/contract/post-args.ts';
import { nextStatus, restoredSlug, trashedSlug } from '../../../../src/site/store/status.ts';

const now = Date.parse('2026-11-20T10:00:00Z');
const [past, future] = [now - 1, now + 1];

describe('nextStatus', () => {
  it.each<[Status | undefined, Status | undefined, boolean, number, Status | 'forbidden']>([
    [undefined, undefined, true, now, 'publish'],
    [undefined, undefined, false, now, 'draft'],
    ['publish', undefined, true, future, 'future'],
    ['future', undefined, true, past, 'publish'],
    ['publish', undefined, false, now, 'pending'],
    ['future', undefined, false, future, 'pending'],
    ['private', undefined, false, now, 'forbidden'],
    ['private', undefined, true, now, 'private'],
    ['trash', undefined, false, now, 'forbidden'],
    ['draft', undefined, false, now, 'draft'],
    [undefined, 'draft', true, past, 'draft'],
    [undefined, 'publish', true, future, 'future'],
    [undefined, 'future', true, past, 'publish'],
    [undefined, 'trash', true, past, 'trash'],
    ['trash', 'draft', false, past, 'trash'],
    ['publish', 'pending', false, past, 'pending'],
    ['publish', 'trash', true, past, 'publish'],
  ])('%s after %s (may publish: %s)', (status, former, mayPublish, publishedAt, expected) => {
    expect(nextStatus({ status, former, mayPublish, publishedAt, now })).toBe(expected);
  });
});

describe('the slug of a trashed event', () => {
  it.each([
    ['a', 'a__trashed'],
    ['', ''],
  ])('%s → %s', (slug, trashed) => expect(trashedSlug(slug)).toBe(trashed));
  it.each([
    ['a__trashed', 'a'],
    ['a__trashed-2', 'a'],
    ['a', 'a'],
  ])('is restored: %s → %s', (slug, restored) => expect(restoredSlug(slug)).toBe(restored));
});
