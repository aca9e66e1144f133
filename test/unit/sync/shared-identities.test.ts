import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../src/sync/model/draft.ts';
import { instantFromWall } from '../../../src/time.ts';
import { draftOf } from '../../support/drafts.ts';
import { syncing, actionsInWords } from '../../support/syncing.ts';

// A UID or id that several events share says little about which of them an event is. Still, a page never becomes
// another event, and no event is lost.

const FREE = { hold: { share: 1, moreThan: 1_000 } };
const wall = (day: number, hour = 18): string => `2027-03-${String(day).padStart(2, '0')} ${hour}:00:00`;
const at = (day: number, hour = 12): number => instantFromWall(wall(day, hour), 'Europe/Warsaw');
const of = (uid: string, title: string, day: number, hour = 18): EventDraft =>
  draftOf(uid, { title, start_date: wall(day, hour) });
const shows = (...days: readonly number[]): EventDraft[] => days.map((day) => of('h1', 'Hamlet', day));
const [chess, poetry, jazz, opera] = [
  of('same', 'Chess', 1),
  of('same', 'Poetry', 8),
  of('same', 'Jazz', 15),
  of('same', 'Opera', 28),
];

/** A site after a first feed: its pages by slug, what a person does there, and the next feed. */
function site(first: readonly EventDraft[]) {
  const { run, site: model } = syncing();
  run(first, FREE);
  return {
    pages: (): Record<string, string> =>
      Object.fromEntries(
        model.events.map(({ slug, values, status }) => [
          slug,
          status === 'trash' ? status : `${String(values.title)} ${Number(String(values.start_date).slice(8, 10))}`,
        ]),
      ),
    slugOf: (title: string, day: number): string =>
      model.events.find(({ values }) => values.title === title && values.start_date === wall(day))!.slug,
    person: (slug: string, values: Record<string, string>): void => {
      model.edit(slug, values);
    },
    next: (drafts: readonly EventDraft[], day = 0): readonly string[] =>
      actionsInWords(run(drafts, { ...FREE, ...(day > 0 ? { now: at(day) } : {}) })),
  };
}

describe('events that share an identity', () => {
  test.each([
    ['each week', [1, 8, 15], [8, 15, 22]],
    ['each day', [1, 2, 3], [2, 3, 4]],
    ['all of them', [1, 2], [3, 4]],
  ])('an event that is over keeps its page when the next one comes: %s', (_, before, after) => {
    const { pages, next } = site(shows(...before));
    const first = pages();
    expect(next(shows(...after), after[0])).toEqual(
      after.filter((day) => !before.includes(day)).map(() => 'create Hamlet'),
    );
    expect(pages()).toMatchObject(first);
  });

  test('a new event is created although a person removed one that has left the feed', () => {
    const { pages, slugOf, person, next } = site(shows(1, 8, 15));
    person(slugOf('Hamlet', 8), { status: 'trash' });
    expect(next(shows(1, 8, 15))).toEqual([]);
    expect(next(shows(1, 15, 22))).toEqual(['create Hamlet']);
    expect(Object.values(pages())).toEqual(['Hamlet 1', 'trash', 'Hamlet 15', 'Hamlet 22']);
  });

  test('what a person wrote stays with its event when another event comes', () => {
    const { pages, slugOf, person, next } = site([chess, poetry, jazz]);
    person(slugOf('Poetry', 8), { title: 'Poetry by hand' });
    expect(next([chess, jazz, opera])).toEqual(['create Opera']);
    expect(Object.values(pages())).toEqual(['Chess 1', 'Poetry by hand 8', 'Jazz 15', 'Opera 28']);
  });

  test.each<[string, EventDraft]>([
    ['moved by an hour', of('same', 'Poetry', 8, 19)],
    ['moved by three days', of('same', 'Poetry', 11)],
    ['the only one of its title, moved far away', of('same', 'Poetry', 22)],
    ['given another title', of('same', 'Verses', 8)],
    ['given another title and hour', of('same', 'Verses', 8, 20)],
  ])('an event keeps its page when it is %s', (_, changed) => {
    const { pages, next } = site([chess, poetry, jazz]);
    const slugs = Object.keys(pages());
    expect(next([chess, changed, jazz])).toEqual([`update ${changed.fields.title}`]);
    expect(Object.keys(pages())).toEqual(slugs);
  });

  test('an event that a person removed stays removed when it is moved by an hour', () => {
    const { pages, slugOf, person, next } = site([chess, poetry, jazz]);
    person(slugOf('Poetry', 8), { status: 'trash' });
    expect(next([chess, of('same', 'Poetry', 8, 19), jazz])).toEqual([]);
    expect(Object.values(pages())).toEqual(['Chess 1', 'trash', 'Jazz 15']);
  });

  test('a run that is cut short before its first write is planned the same way again', () => {
    const { run, plan, ledger } = syncing();
    run([of('same', 'Jazz', 22), of('same', 'Chess', 1)], FREE);
    const second = [of('own', 'Jazz', 22), of('same', 'Opera', 3)];
    const planned = plan(second, FREE);
    for (const [slug, { entry }] of Object.entries(planned.ledger))
      if (!planned.actions.some((action) => 'slug' in action && action.slug === slug)) ledger.set(slug, entry);
    expect(actionsInWords(plan(second, FREE))).toEqual(actionsInWords(planned));
  });

  test('an event whose identity becomes its own changes no entry at the next run', () => {
    const { run, plan } = syncing();
    run([of('same', 'Jazz', 22), of('same', 'Chess', 1)], FREE);
    const apart = [of('same', 'Jazz', 22), of('own', 'Chess', 1)];
    run(apart, FREE);
    expect(plan(apart, FREE).ledger).toEqual({});
    // Of a part of the feed, the others are not known to be gone.
    const rest = { unread: [{ line: 3 }] };
    for (const draft of apart) expect(plan([draft], FREE, rest)).toMatchObject({ actions: [], ledger: {} });
  });

  test('an event that no longer shares its identity keeps its page, whatever changes', () => {
    const { pages, next } = site([chess, poetry]);
    for (let fetch = 0; fetch < 3; fetch++) next([chess]);
    expect(next([of('same', 'Checkers', 20)])).toEqual(['update Checkers']);
    expect(Object.values(pages())).toEqual(['Checkers 20', 'trash']);
  });
});

test('a table without ids: a show that is over keeps its page when the next one comes', () => {
  const rows = (...days: readonly number[]): EventDraft[] =>
    shows(...days).map((draft) => ({ ...draft, rungs: { ...draft.rungs, uid: null } }));
  const { pages, next } = site(rows(1, 2, 3));
  const first = pages();
  expect(next(rows(2, 3, 4), 2)).toEqual(['create Hamlet']);
  expect(pages()).toMatchObject(first);
});

test('laws: the order of a feed does not matter, each event is there once, and a rerun plans nothing', () => {
  const feed = fc
    .array(
      fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('Chess', 'Jazz'), fc.integer({ min: 1, max: 20 })),
      { minLength: 1, maxLength: 8 },
    )
    .map((rows) => rows.map(([uid, title, day]) => of(uid, title, day)));
  fc.assert(
    fc.property(
      feed,
      feed.chain((drafts) => fc.tuple(fc.constant(drafts), fc.shuffledSubarray(drafts, { minLength: drafts.length }))),
      fc.integer({ min: 1, max: 20 }),
      (first, [second, shuffled], day) => {
        const policy = { ...FREE, missing: { action: 'trash', after: 1 } as const, now: at(day) };
        const [
          {
            run,
            plan,
            site: { events },
          },
          other,
        ] = [syncing(), syncing()];
        for (const each of [run, other.run]) each(first, FREE);
        expect(other.plan(shuffled, policy).actions).toEqual(plan(second, policy).actions);
        run(second, policy);
        const shown = events
          .filter(({ status, values }) => status === 'publish' && Number(String(values.start_date).slice(8, 10)) >= day)
          .map(({ values }) => `${String(values.title)} ${String(values.start_date)}`);
        expect(shown.toSorted()).toEqual(
          second
            .filter(({ startsAt }) => startsAt >= at(day))
            .map(({ fields }) => `${fields.title} ${fields.start_date}`)
            .toSorted(),
        );
        expect(plan(second, policy).actions).toEqual([]);
      },
    ),
  );
});
