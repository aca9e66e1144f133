import { expect, test } from 'vitest';
import { identitiesOf, identityIn, identityText } from '../../../src/sync/model/identity.ts';
import { draftOf } from '../../support/drafts.ts';

const draft = draftOf(
  'a:b',
  {},
  {
    rungs: { uid: 'a:b', recurrenceId: '20270110T180000', url: 'https://club.example/a', fingerprint: 'uid:a' },
  },
);

test('an identity is read back from its text, whichever one is likely', () => {
  for (const identity of identitiesOf(draft, 'uid'))
    for (const likely of [null, 'a:b', identity.identity])
      expect(identityIn(identityText(identity), likely)).toEqual(identity);
});

test('a text that is not an identity is refused', () => {
  for (const text of ['', 'a:b', 'ui:a', ':a']) expect(() => identityIn(text, null)).toThrow(TypeError);
});
