import { deserialize, serialize } from 'node:v8';
import { expect, test } from 'vitest';
import { makeTextsOne } from '../../../src/sync/model/equal-texts.ts';
import type { EventDraft } from '../../../src/sync/model/draft.ts';
import { draftOf } from '../../support/drafts.ts';

test('drafts are unchanged when their equal texts share one string', () => {
  const drafts = [
    draftOf('1'),
    draftOf('2', { status: 'draft', timezone: 'UTC' }, { state: 'tentative', where: { uid: 'another', line: 7 } }),
    draftOf('3', {}, { where: { line: 9 }, rungs: { uid: null, recurrenceId: null, url: null, fingerprint: '3' } }),
    draftOf('4', { status: 'UTC', timezone: 'draft' }, { state: 'cancelled' }),
  ];
  const makeOne = makeTextsOne();
  const copies = deserialize(serialize([drafts, drafts.toReversed()])) as EventDraft[][];
  for (const copy of copies) makeOne(copy);
  expect(copies).toEqual([drafts, drafts.toReversed()]);
});
