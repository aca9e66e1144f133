import { describe, expect, it } from 'vitest';
import type { Absence } from '../../../src/sync/event/absence.ts';
import { LIFE, wantedBack, whereaboutsOf, type OnSite, type Whereabouts } from '../../../src/sync/event/life.ts';
import { planAbsent } from '../../../src/sync/event/plan-absent.ts';
import { removeEvent } from '../../../src/sync/event/remove-event.ts';
import { linksFor } from '../../../src/sync/links/links.ts';
import type { LedgerEntry, Policy, SiteEvent } from '../../../src/sync/model/plan.ts';
import { NOW, policyOf } from '../../support/drafts.ts';

const [OLDER, NEWER, NEWEST] = ['2027-01-01 10:00:00', '2027-01-01 11:00:00', '2027-01-01 12:00:00'];
const links = linksFor([], { events: new Map(), categories: [], tags: [], venues: [], organizers: [] }, policyOf());

const kept: LedgerEntry = {
  slug: 'jazz-abcdefghijklmn',
  key: 'abcdefghijklmn',
  rung: 'uid',
  identity: '1',
  uid: '1',
  title: 'Jazz',
  startsAt: NOW + 1000,
  endsAt: NOW + 2000,
  id: 7,
  state: 'kept',
  missing: 0,
  fields: { status: { feed: 'publish', sent: 'publish', returned: 'publish', at: OLDER, by: 'feed' } },
};
const shown = (status: string, modified = OLDER): SiteEvent => ({
  id: 7,
  slug: kept.slug,
  status,
  modified,
  values: { title: 'Jazz', status },
});
/** An entry whose event we have removed, before the site's answer is recorded. */
const removedBy = (how: 'trash' | 'draft' | 'cancel'): LedgerEntry =>
  removeEvent({ entry: kept, onSite: shown('publish'), links, because: '' }, how, 'en').change.entry;
/** As a run leaves an entry that has put its event into the trash, with what the site answered. */
const removed = ((): LedgerEntry => {
  const entry = removedBy('trash');
  return { ...entry, fields: { status: { ...entry.fields.status!, at: NEWER } } };
})();
const ignored: LedgerEntry = { ...kept, state: 'ignored' };
const detached: LedgerEntry = { ...kept, state: 'detached' };
const pinned: LedgerEntry = { ...kept, pinned: true };
/** It was removed, an old list showed it as if it was not, and the feed had it: it was never brought back. */
const keptInTrash: LedgerEntry = { ...removed, state: 'kept' };

const PLACES: readonly (readonly [name: string, LedgerEntry | undefined, OnSite, Whereabouts])[] = [
  ['a new one', undefined, undefined, 'absent'],
  ['a new one, while many others are lost', undefined, 'lost', 'absent'],
  ['one that we removed, and that is deleted', removed, undefined, 'absent'],
  ['one that we removed, while many others are lost', removed, 'lost', 'absent'],
  ['one that we removed, and an operator had brought back before', { ...removed, pinned: true }, undefined, 'absent'],
  ['one that the ledger does not know', undefined, shown('publish'), 'shown'],
  ['one that we keep', kept, shown('publish'), 'shown'],
  ['one that a person has withdrawn', kept, shown('draft'), 'shown'],
  ['one that an operator has brought back', pinned, shown('publish'), 'broughtBack'],
  ['one that a person had removed, and has put back', ignored, shown('publish'), 'broughtBack'],
  ['one that we removed, and a person has put back', removed, shown('publish', NEWEST), 'broughtBack'],
  ['one that we removed, on a site that was restored', removed, shown('publish', OLDER), 'resurfaced'],
  ['one in our trash', removed, shown('trash', NEWER), 'trashedByUs'],
  ['one that we removed, and a person has touched in the trash', removed, shown('trash', NEWEST), 'trashedByUs'],
  ['one in our trash that the ledger lists as kept', keptInTrash, shown('trash', NEWER), 'trashedByUs'],
  ['one that we made a draft, and a person put into the trash', removedBy('draft'), shown('trash'), 'trashedByPerson'],
  [
    'one that we marked as cancelled, and a person put into the trash',
    removedBy('cancel'),
    shown('trash'),
    'trashedByPerson',
  ],
  ['one that we made a draft, and a person wants back', wantedBack(removedBy('draft')), shown('trash'), 'trashedByUs'],
  ['one that a person has put into the trash', kept, shown('trash', NEWER), 'trashedByPerson'],
  ['one in the trash that the ledger does not know', undefined, shown('trash'), 'trashedByPerson'],
  ['one that an operator brought back, in the trash', pinned, shown('trash', NEWER), 'trashedByPerson'],
  ['one that is deleted', kept, undefined, 'vanished'],
  ['one that an operator brought back, deleted', pinned, undefined, 'vanished'],
  ['one of many that are not there', kept, 'lost', 'lost'],
  ['one in the trash, as the ledger knows', ignored, shown('trash', NEWER), 'ignored'],
  ['one in our trash that a person keeps off', { ...removed, state: 'ignored' }, shown('trash', NEWER), 'ignored'],
  ['one deleted, as the ledger knows', ignored, undefined, 'ignored'],
  ['one deleted, as the ledger knows, while many others are lost', ignored, 'lost', 'ignored'],
  ['one that a person has made their own', detached, shown('publish'), 'detached'],
  ['one that a person has made their own, and put into the trash', detached, shown('trash'), 'detached'],
];

describe('where an event is', () => {
  it.each(PLACES)('%s', (_name, entry, onSite, expected) => expect(whereaboutsOf(entry, onSite)).toBe(expected));

  it('there is an example of every place', () =>
    expect(Object.keys(LIFE.drafted).filter((where) => !PLACES.some((place) => place[3] === where))).toEqual([]));
});

describe('an event without a draft', () => {
  const GONE: Absence = { kind: 'gone' };
  const EXCLUDED: Absence = { kind: 'excluded', because: 'left out by the rule skip' };
  const OUTSIDE: Absence = { kind: 'outside', isBeyond: true };
  const once: LedgerEntry = { ...kept, missing: 1 };
  const older = 'back on the site because that went back to an older state';
  /** The reason of a removal, or what the ledger says of the event afterwards; null where nothing is decided. */
  const decided = (entry: LedgerEntry, absence: Absence, onSite: OnSite, more: Partial<Policy> = {}): unknown => {
    const { action, change } = planAbsent(entry, absence, onSite, links, policyOf(more));
    if (action?.kind === 'remove') return action.because;
    return change && [change.entry.state, change.entry.missing, change.entry.pinned ?? false, change.entry.id];
  };
  const cases: readonly (readonly [string, LedgerEntry, Absence, OnSite, unknown])[] = [
    ['gone: counted', kept, GONE, shown('publish'), ['kept', 1, false, 7]],
    [
      'gone, with the absences that held plans counted',
      { ...once, heldMissing: 1 },
      GONE,
      shown('publish'),
      'gone from the feed for 3 good fetches',
    ],
    ['excluded', once, EXCLUDED, shown('publish'), 'left out by the rule skip'],
    ['of a feed without events', kept, { kind: 'emptied' }, shown('publish'), 'the feed has no events any more'],
    ['outside: the count starts again', once, OUTSIDE, shown('publish'), ['kept', 0, false, 7]],
    ['outside, as before', kept, OUTSIDE, shown('publish'), null],
    ['outside, under another id', { ...kept, id: 6 }, OUTSIDE, shown('publish'), ['kept', 0, false, 7]],
    ['past: the count starts again, wherever it is', once, { kind: 'past' }, undefined, ['kept', 0, false, 7]],
    ['past, and removed', removed, { kind: 'past' }, shown('publish', OLDER), null],
    ['of a feed that could not be read', once, { kind: 'unread' }, undefined, null],
    ['resurfaced, gone', removed, GONE, shown('publish', OLDER), expect.stringContaining(older)],
    ['resurfaced, excluded', removed, EXCLUDED, shown('publish', OLDER), expect.stringContaining(older)],
    ['resurfaced, outside', removed, OUTSIDE, shown('publish', OLDER), null],
    ['put back by a person', removed, EXCLUDED, shown('publish', NEWEST), null],
    ['brought back by an operator', pinned, EXCLUDED, shown('publish'), null],
    ['brought back by an operator, and trashed', pinned, GONE, shown('trash', NEWER), ['ignored', 0, true, 7]],
    ['brought back by an operator, and lost', pinned, GONE, 'lost', ['removed', 0, true, 7]],
    [
      'removed, brought back by an operator, and removed',
      { ...removed, pinned: true },
      GONE,
      shown('publish', OLDER),
      null,
    ],
    ['trashed by a person', once, OUTSIDE, shown('trash', NEWER), ['ignored', 1, false, 7]],
    ['deleted', once, GONE, undefined, ['ignored', 1, false, 7]],
    ['lost', once, EXCLUDED, 'lost', ['removed', 1, false, 7]],
    [
      'in our trash, though the ledger lists it as kept',
      keptInTrash,
      GONE,
      shown('trash', NEWER),
      ['removed', 0, false, 7],
    ],
    ['removed by a person before', ignored, GONE, undefined, null],
    ['made their own by a person', detached, GONE, shown('publish'), null],
  ];
  it.each(cases)('%s', (_name, entry, absence, onSite, expected) =>
    expect(decided(entry, absence, onSite)).toEqual(expected),
  );

  it('nothing is removed where missing.action is keep', () => {
    const keep = { missing: { action: 'keep', after: 1 } } as const;
    expect(decided(kept, EXCLUDED, shown('publish'), keep)).toBeNull();
    expect(decided(removed, GONE, shown('publish', OLDER), keep)).toBeNull();
    expect(decided(once, GONE, shown('publish'), keep)).toEqual(['kept', 2, false, 7]);
  });
});
