import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lockFields } from '../../../src/sync/decisions/lock.ts';
import { FIELD_NAMES, UNITS } from '../../../src/sync/model/fields.ts';
import type { EventDraft } from '../../../src/sync/model/draft.ts';
import { planChanges } from '../../../src/sync/plan/plan-changes.ts';
import type { LedgerEntry, Policy } from '../../../src/sync/model/plan.ts';
import { draftOf, policyOf, readingOf } from '../../support/drafts.ts';
import { repetitions } from '../../support/repetitions.ts';
import { applyPlan, SiteModel } from '../../support/site-model.ts';

const RUNS = repetitions(300);

const name = fc.constantFrom('Jazz', 'Kino', 'Żurek & Co', 'Poetry "slam"', '東京', 'C++', 'C', 'jazz');
const venue = fc
  .record({
    venue: fc.constantFrom('Hall A', 'hall a', 'Ratusz', 'Dom Kultury'),
    city: fc.constantFrom('Gdańsk', 'Sopot', undefined),
  })
  .map(({ venue: title, city }) => (city === undefined ? { venue: title } : { venue: title, city }));

/**
 * Drafts with repeated identities, shared venues and terms, cancelled ones, and fields that the feed says nothing
 * about.
 */
const drafts: fc.Arbitrary<readonly EventDraft[]> = fc
  .array(
    fc.record({
      uid: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
      title: name,
      day: fc.integer({ min: 1, max: 28 }),
      state: fc.constantFrom('confirmed', 'tentative', 'cancelled'),
      rest: fc.record(
        {
          description: fc.constantFrom('', '<p>One</p>', '<p>Two</p>'),
          website: fc.constantFrom('', 'https://example.org/?a=1&b=2'),
          cost: fc.constantFrom('', '25'),
          categories: fc.uniqueArray(name, { maxLength: 3 }),
          tags: fc.uniqueArray(name, { maxLength: 2 }),
          venue: fc.array(venue, { maxLength: 1 }),
          organizer: fc.array(fc.record({ organizer: fc.constantFrom('Koło', 'KOLO', 'Club') }), { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
    }),
    { maxLength: 12 },
  )
  .map((rows) =>
    rows.map(({ uid, title, day, state, rest }) =>
      draftOf(uid, { title, start_date: `2027-03-${String(day).padStart(2, '0')} 18:00:00`, ...rest }, { state }),
    ),
  );

const inMarch = (uid: string, title: string, day: number, more: Partial<EventDraft['fields']> = {}): EventDraft =>
  draftOf(uid, { title, start_date: `2027-03-0${day} 18:00:00`, ...more });

// Removals at the first fetch without an event, and no guards: the laws hold for them, too.
const removing = (action: Policy['missing']['action']): Policy =>
  policyOf({ missing: { action, after: 1 }, hold: { share: 1, moreThan: 1000 } });
const policies = fc.constantFrom('trash' as const, 'draft' as const, 'cancel' as const, 'keep' as const).map(removing);
/** What is killed, and when: after how many writes and recorded answers; undefined if none of the run is recorded. */
type Killed = [EventDraft[], EventDraft[], Policy, writes: number, answers: number | undefined];
/** The feed drops two events with one UID, one of which is cancelled, and gives the UID to a third. */
const TAKEN_FROM_A_CANCELLED_ONE: Killed = [
  [inMarch('a', 'Jazz', 1), { ...inMarch('a', 'C', 2), state: 'cancelled' }],
  [inMarch('a', 'Kino', 3)],
  removing('cancel'),
  0,
  0,
];
/** Two events with one UID both get another, and their own goes to a third; one of them needs no write for that. */
const GIVEN_TO_A_THIRD: Killed = [
  [inMarch('h', 'Jazz', 1), { ...inMarch('h', 'C', 9), state: 'tentative' }],
  [inMarch('a', 'C', 9), inMarch('h', 'C', 1), inMarch('a', 'Jazz', 1)],
  removing('trash'),
  0,
  0,
];
/** An event becomes one of two that differ only in their places. */
const ONE_OF_TWO_ALIKE: Killed = [
  [inMarch('a', 'C', 2, { venue: [{ venue: 'Hall A' }] })],
  [inMarch('b', 'C', 5, { venue: [{ venue: 'Hall A' }] }), inMarch('b', 'C', 5, { description: '' })],
  removing('trash'),
  0,
  0,
];
/** Two events take over the UID of one that the feed drops, whose title goes to a fourth. */
const LEFT_BY_ITS_UID: Killed = [
  [inMarch('a', 'Jazz', 1), inMarch('b', 'C', 1), inMarch('a', 'Kino', 1)],
  [inMarch('b', 'Jazz', 1), inMarch('c', 'C', 2), inMarch('b', 'Kino', 2)],
  removing('trash'),
  0,
  0,
];

/** Two events of one UID, title and start with hardly any fields: what they said before stays in the ledger. */
const ALIKE_AND_SILENT: Killed = [
  [inMarch('a', 'C', 1, { tags: ['x'] }), inMarch('a', 'C', 1, { description: 'Two', venue: [{ venue: 'Hall A' }] })],
  [{ ...inMarch('a', 'Jazz', 1), state: 'tentative' }, inMarch('a', 'Jazz', 1)],
  removing('trash'),
  9,
  Number.POSITIVE_INFINITY,
];
/** The same, killed after the answer to one of the writes. */
const ALIKE_AND_KILLED: Killed = [
  [inMarch('c', 'C', 1, { cost: '' }), inMarch('a', 'C', 2)],
  [inMarch('a', 'C', 2, { venue: [] }), { ...inMarch('a', 'C', 2), state: 'cancelled' }],
  removing('cancel'),
  3,
  1,
];
/** Two events are moved together; the one without an entry of their UID takes the place of one with another UID. */
const ALIKE_AND_MOVED: Killed = [
  [inMarch('c', 'C', 2, { venue: [{ venue: 'Hall A' }] }), inMarch('a', 'C', 2)],
  [inMarch('a', 'C', 1, { venue: [{ venue: 'Hall A' }] }), inMarch('a', 'C', 1)],
  removing('draft'),
  0,
  1,
];
/** One of two identical events goes. */
const ONE_OF_TWO_THE_SAME: Killed = [
  [inMarch('a', 'C', 1, { tags: ['x'] }), inMarch('a', 'C', 1, { tags: ['x'] })],
  [inMarch('a', 'C', 1, { tags: ['x'] })],
  removing('cancel'),
  1,
  Number.POSITIVE_INFINITY,
];

const EXAMPLES = [
  TAKEN_FROM_A_CANCELLED_ONE,
  GIVEN_TO_A_THIRD,
  ONE_OF_TWO_ALIKE,
  LEFT_BY_ITS_UID,
  ALIKE_AND_SILENT,
  ALIKE_AND_KILLED,
  ALIKE_AND_MOVED,
  ONE_OF_TWO_THE_SAME,
];

const answered = fc.oneof(fc.constant(undefined), fc.constant(Number.POSITIVE_INFINITY), fc.nat(4));

const plan = (
  site: SiteModel,
  ledger: ReadonlyMap<string, LedgerEntry>,
  wanted: readonly EventDraft[],
  policy = policyOf(),
) => planChanges({ reading: readingOf(wanted), snapshot: site.snapshot(), ledger, policy });

function synced(wanted: readonly EventDraft[]): { site: SiteModel; ledger: Map<string, LedgerEntry> } {
  const site = new SiteModel();
  const ledger = new Map<string, LedgerEntry>();
  applyPlan(site, plan(site, ledger, wanted), ledger);
  return { site, ledger };
}

/** What a visitor sees: everything but ids. */
function shown(site: SiteModel): readonly unknown[] {
  const names = new Map<unknown, string>(
    [...site.categories, ...site.tags]
      .map((term): [unknown, string] => [term.id, term.name])
      .concat(
        site.venues.map((each): [unknown, string] => [each.id, `${each.venue}, ${each.city ?? ''}`]),
        site.organizers.map((each): [unknown, string] => [each.id, each.organizer]),
      ),
  );
  return site.events
    .map(({ slug, status, values }) => ({
      slug,
      status,
      values: Object.fromEntries(
        Object.entries(values).map(([field, value]) => [
          field,
          Array.isArray(value) ? value.map((id) => names.get(id)).sort() : value,
        ]),
      ),
    }))
    .sort((one, other) => (one.slug < other.slug ? -1 : 1));
}

describe('laws of the plan', () => {
  it('planning again over an applied plan gives no actions and changes no entry', () => {
    fc.assert(
      fc.property(drafts, (wanted) => {
        const { site, ledger } = synced(wanted);
        const again = plan(site, ledger, wanted);
        expect(again.actions).toEqual([]);
        expect(again.ledger).toEqual({});
        expect(again.unchanged).toBe(wanted.length);
      }),
      { numRuns: RUNS },
    );
  });

  it('the order of drafts does not matter', () => {
    fc.assert(
      fc.property(
        drafts.chain((wanted) =>
          fc.tuple(fc.constant(wanted), fc.shuffledSubarray([...wanted], { minLength: wanted.length })),
        ),
        ([wanted, shuffled]) => {
          const site = new SiteModel();
          expect(plan(site, new Map(), shuffled).actions).toEqual(plan(site, new Map(), wanted).actions);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('no two drafts share a slug, and every draft is on the site', () => {
    fc.assert(
      fc.property(drafts, (wanted) => {
        const { site } = synced(wanted);
        expect(new Set(site.events.map(({ slug }) => slug)).size).toBe(wanted.length);
      }),
      { numRuns: RUNS },
    );
  });

  it('a run that was killed after any write, with or without its ledger, ends with the same site when repeated', () => {
    fc.assert(
      fc.property(drafts, drafts, policies, fc.nat(40), answered, (first, second, policy, writes, answers) => {
        const { site, ledger } = synced(first);
        const whole = synced(first);
        applyPlan(whole.site, plan(whole.site, whole.ledger, second, policy), whole.ledger);
        const killed = answers === undefined ? new Map(ledger) : ledger;
        applyPlan(site, plan(site, ledger, second, policy), killed, writes, answers);
        applyPlan(site, plan(site, ledger, second, policy), ledger);
        expect(shown(site)).toEqual(shown(whole.site));
        expect(plan(site, ledger, second, policy).actions).toEqual([]);
      }),
      { numRuns: RUNS, examples: EXAMPLES },
    );
  });

  describe.each([
    {
      what: 'new events with a shared UID get the same slugs, although two others have swapped UIDs',
      first: [inMarch('one', 'Kino', 4), inMarch('other', 'Jazz', 1)],
      second: [
        inMarch('one', 'Jazz', 1),
        inMarch('other', 'Kino', 1),
        inMarch('other', 'Kino', 4, { cost: '5' }),
        inMarch('other', 'Jazz', 5),
      ],
    },
    {
      what: 'an event whose UID another has taken over is moved, not created again',
      first: [inMarch('two', 'Kino', 1), inMarch('two', 'C', 9), inMarch('single', 'Jazz', 6)],
      second: [inMarch('two', 'Kino', 1), inMarch('single', 'C++', 9), inMarch('two', 'Jazz', 9)],
    },
  ])('$what', ({ first, second }) => {
    it.each([0, 1, 2, 3, 4, 5])('also if the run is killed after %d writes', (writes) => {
      const whole = synced(first);
      applyPlan(whole.site, plan(whole.site, whole.ledger, second), whole.ledger);
      const { site, ledger } = synced(first);
      applyPlan(site, plan(site, ledger, second), ledger, writes);
      applyPlan(site, plan(site, ledger, second), ledger);
      expect(shown(site)).toEqual(shown(whole.site));
    });
  });

  it('a removed event comes back as it was, and nothing else is touched', () => {
    fc.assert(
      fc.property(
        drafts.filter((wanted) => wanted.length > 1),
        policies,
        fc.nat(11),
        (wanted, policy, index) => {
          const { site, ledger } = synced(wanted);
          const before = shown(site);
          for (const reading of [wanted.toSpliced(index % wanted.length, 1), wanted])
            applyPlan(site, plan(site, ledger, reading, policy), ledger);
          expect(shown(site)).toEqual(before);
          expect(plan(site, ledger, wanted, policy).actions).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('a removed event comes back as people had edited it, whatever the authority', () => {
    const edit = fc.record({
      event: fc.nat(11),
      field: fc.constantFrom('title', 'description', 'status'),
      value: fc.constantFrom('private', 'draft', 'publish'),
    });
    const locks = fc.array(fc.record({ event: fc.nat(11), unit: fc.constantFrom(...UNITS, FIELD_NAMES) }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(
        drafts.filter((wanted) => wanted.length > 1),
        policies,
        fc.constantFrom('preserve' as const, 'site' as const, 'feed' as const),
        fc.array(edit, { maxLength: 6 }),
        locks,
        fc.nat(11),
        (wanted, policy, by, edits, locked, index) => {
          const { site, ledger } = synced(wanted);
          const entries = [...ledger.values()];
          for (const { event, unit } of locked) {
            const entry = ledger.get(entries[event % entries.length]?.slug ?? '');
            if (entry) applyPlan(site, lockFields(entry, unit), ledger);
          }
          for (const { event, field, value } of edits) {
            const post = site.events[event % site.events.length];
            // A person cannot remove the mark of a cancelled event for good.
            const isMarked = field === 'title' && String(post?.values.title).startsWith('Cancelled: ');
            if (post && !isMarked) site.edit(post.slug, { [field]: value });
          }
          const own = { ...policy, authority: { default: by, fields: {} } };
          applyPlan(site, plan(site, ledger, wanted, own), ledger);
          const before = shown(site);
          for (const reading of [wanted.toSpliced(index % wanted.length, 1), wanted])
            applyPlan(site, plan(site, ledger, reading, own), ledger);
          expect(shown(site)).toEqual(before);
          expect(plan(site, ledger, wanted, own)).toMatchObject({ actions: [], conflicts: [] });
        },
      ),
      { numRuns: RUNS },
    );
  });

  it("a person's edit stays as it is, whatever the feed does, and a rerun plans nothing", () => {
    const edit = fc.record({
      event: fc.nat(20),
      field: fc.constantFrom('description', 'cost', 'website'),
      value: fc.constantFrom('by hand', 'by another hand'),
    });
    fc.assert(
      fc.property(drafts, drafts, drafts, fc.array(edit, { maxLength: 6 }), (first, second, third, edits) => {
        const { site, ledger } = synced(first);
        const edited = new Map(
          edits.flatMap(({ event, field, value }): [string, string][] => {
            const post = site.events[event];
            if (post) site.edit(post.slug, { [field]: value });
            return post ? [[`${post.slug} ${field}`, value]] : [];
          }),
        );
        for (const wanted of [second, third]) applyPlan(site, plan(site, ledger, wanted), ledger);
        const now = new Map(
          site.events.flatMap(({ slug, values }) =>
            Object.entries(values).map(([field, value]) => [`${slug} ${field}`, value]),
          ),
        );
        expect([...edited.keys()].map((place) => now.get(place))).toEqual([...edited.values()]);
        expect(plan(site, ledger, third).actions.filter(({ kind }) => kind !== 'remove')).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('with the ledger lost, nothing that is already right is written again', () => {
    fc.assert(
      fc.property(drafts, (wanted) => {
        const { site } = synced(wanted);
        const adopted = plan(site, new Map(), wanted);
        expect(adopted.actions).toEqual([]);
        expect(Object.keys(adopted.ledger)).toHaveLength(wanted.length);
      }),
      { numRuns: RUNS },
    );
  });

  it('with the ledger lost, what people edited stays, whatever the feed has become, and a rerun plans nothing', () => {
    const edit = fc.record({
      event: fc.nat(20),
      field: fc.constantFrom('description', 'cost', 'website', 'status'),
      value: fc.constantFrom('draft', 'private'),
    });
    fc.assert(
      fc.property(drafts, drafts, fc.array(edit, { maxLength: 6 }), (first, second, edits) => {
        const { site } = synced(first);
        const edited = new Map<string, string>();
        for (const { event, field, value } of edits) {
          const post = site.events[event];
          if (!post) continue;
          site.edit(post.slug, { [field]: value });
          edited.set(`${post.id} ${field}`, value);
        }
        const ledger = new Map<string, LedgerEntry>();
        // A held plan is approved.
        applyPlan(site, plan(site, ledger, second), ledger);
        const now = new Map(
          site.events.flatMap(({ id, status, values }) =>
            Object.entries({ ...values, status }).map(([field, value]) => [`${id} ${field}`, value]),
          ),
        );
        expect([...edited.keys()].map((place) => now.get(place))).toEqual([...edited.values()]);
        expect(plan(site, ledger, second).actions.filter(({ kind }) => kind !== 'remove')).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
