import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../src/sync/model/draft.ts';
import type { Rung } from '../../../src/sync/model/identity.ts';
import { planChanges } from '../../../src/sync/plan/plan-changes.ts';
import { instantFromWall } from '../../../src/time.ts';
import { draftOf, policyOf, readingOf } from '../../support/drafts.ts';
import { applyPlan } from '../../support/site-model.ts';
import { syncing, actionsInWords } from '../../support/syncing.ts';

// UIDs that number the positions in a list belong to other events as soon as one is added or removed. The events keep
// their pages nevertheless.

const FREE = { hold: { share: 1, moreThan: 1_000 } };
const day = (title: string): string => `2027-03-${String(title.charCodeAt(0) - 64).padStart(2, '0')} 18:00:00`;
/** Events in order, each with its position as its UID. */
const numbered = (titles: string): EventDraft[] =>
  [...titles].map((title, index) =>
    draftOf(String(index + 1), { title, start_date: title === 'X' ? '2027-03-06 21:00:00' : day(title) }),
  );
const slugsByTitle = ({ events }: ReturnType<typeof syncing>['site']): Record<string, string> =>
  Object.fromEntries(
    events.filter(({ status }) => status === 'publish').map(({ slug, values }) => [String(values.title), slug]),
  );
const pages = (site: ReturnType<typeof syncing>['site']): Record<string, unknown> =>
  Object.fromEntries(site.events.map(({ slug, values, status }) => [slug, status === 'trash' ? status : values.title]));

/** Events of one title and place on days of March, each with its position as its UID. */
const weekly = (days: readonly number[]): EventDraft[] =>
  days.map((each, index) =>
    draftOf(String(index + 1), {
      title: 'Market',
      start_date: `2027-03-${String(each).padStart(2, '0')} 18:00:00`,
      venue: [{ venue: 'Square' }],
    }),
  );
const daysByPage = ({ events }: ReturnType<typeof syncing>['site']): Record<string, unknown> =>
  Object.fromEntries(events.map(({ slug, values }) => [slug, values.start_date]));

describe('UIDs that count positions', () => {
  test('an event inserted between others moves no page, and one that a person removed stays removed', () => {
    const { run, site, plan } = syncing();
    run(numbered('ABCDEFGHIJ'));
    const before = pages(site);
    site.edit(site.events.find(({ values }) => values.title === 'H')!.slug, { status: 'trash' });
    expect(actionsInWords(run(numbered('ABCDEFGHIJ')))).toEqual([]);
    expect(actionsInWords(run(numbered('ABCDEFXGHIJ')))).toEqual(['create X']);
    expect(Object.values(pages(site))).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'trash', 'I', 'J', 'X']);
    expect(Object.keys(pages(site)).slice(0, 10)).toEqual(Object.keys(before));
    expect(plan(numbered('ABCDEFXGHIJ')).actions).toEqual([]);
    expect(actionsInWords(run(numbered('ABCDEFXKGHIJ')))).toEqual(['create K']);
  });

  test('an event that is over moves no page, nor do later changes; the source steps down and says so', () => {
    const { run, site, ledger } = syncing();
    run(numbered('ABCDEFGHIJ'));
    const before = pages(site);
    const now = instantFromWall('2027-03-02 12:00:00', 'Europe/Warsaw');
    const { actions, rung, held, problems } = run(numbered('BCDEFGHIJ'), { now });
    expect({ actions, rung, held, problems: problems.map(({ code }) => code), pages: pages(site) }).toEqual({
      actions: [],
      rung: 'fingerprint',
      held: null,
      problems: ['identities-change'],
      pages: before,
    });
    const later = planChanges({
      reading: readingOf(numbered('XCDEFGHIJK')),
      snapshot: site.snapshot(),
      ledger,
      policy: policyOf({ now }),
      rung: 'fingerprint',
    });
    expect(actionsInWords(later)).toEqual(['create X', 'create K']);
  });

  test('an event that is renamed and moved keeps its page if no other is like its former self', () => {
    const { run, site } = syncing();
    run(numbered('AB'));
    const slugs = Object.keys(pages(site));
    expect(
      actionsInWords(
        run([draftOf('1', { title: 'C', start_date: day('A') }), draftOf('2', { title: 'D', start_date: day('E') })]),
      ),
    ).toEqual(['update C', 'update D']);
    expect(pages(site)).toEqual({ [slugs[0]!]: 'C', [slugs[1]!]: 'D' });
  });

  describe('where all events have one title and place', () => {
    const DAYS = [5, 12, 19, 26];
    const AFTER_THE_FIRST = instantFromWall('2027-03-06 12:00:00', 'Europe/Warsaw');

    test.each([
      { what: 'one is put before them', days: [1, ...DAYS], words: ['create Market'] },
      { what: 'one is called off', days: [5, 19, 26], words: [] },
      { what: 'they come in another order', days: [26, 5, 19, 12], words: [] },
      { what: 'the first is over, and another comes at the end', days: [12, 19, 26, 30], words: ['create Market'] },
    ])('no page moves if $what', ({ days, words }) => {
      const { run, site } = syncing();
      run(weekly(DAYS));
      const before = daysByPage(site);
      const now = days[0] === 12 ? { now: AFTER_THE_FIRST } : {};
      expect(actionsInWords(run(weekly(days), now))).toEqual(words);
      expect(daysByPage(site)).toMatchObject(before);
      expect(actionsInWords(run(weekly(days), now))).toEqual([]);
    });

    test('all pages move if all events do, each with its own UID', () => {
      const { run, site } = syncing();
      run(weekly(DAYS));
      const slugs = Object.keys(daysByPage(site));
      run(weekly([12, 19, 26, 30]), FREE);
      expect(Object.keys(daysByPage(site))).toEqual(slugs);
    });

    test('an event that moves to the day of one that a person removed, and its feed too, stays on the site', () => {
      const { run, site } = syncing();
      run(weekly(DAYS));
      site.edit(site.events[3]!.slug, { status: 'trash' });
      run(weekly(DAYS));
      run(weekly([5, 12, 19]));
      expect(actionsInWords(run(weekly([5, 12, 26])))).toEqual(['update Market']);
      expect(Object.values(daysByPage(site))[2]).toBe('2027-03-26 18:00:00');
    });
  });

  test('law: whichever events come and go, each is on the site once and keeps its page', () => {
    const titles = fc.subarray([...'ABCDEFGHIJKLMNOP'], { minLength: 1 }).map((some) => some.join(''));
    fc.assert(
      fc.property(fc.array(titles, { minLength: 2, maxLength: 5 }), (feeds) => {
        const { site, ledger } = syncing();
        let rung: Rung = 'uid';
        for (const feed of feeds) {
          const before = slugsByTitle(site);
          const plan = planChanges({
            reading: readingOf(numbered(feed)),
            snapshot: site.snapshot(),
            ledger,
            policy: policyOf({ ...FREE, missing: { action: 'trash', after: 1 } }),
            rung,
          });
          applyPlan(site, plan, ledger);
          rung = plan.rung!;
          const shown = site.events.filter(({ status }) => status === 'publish').map(({ values }) => values.title);
          expect(shown.toSorted().join('')).toBe(feed);
          expect(slugsByTitle(site)).toMatchObject(
            Object.fromEntries(Object.entries(before).filter(([title]) => feed.includes(title))),
          );
        }
      }),
    );
  });
});
