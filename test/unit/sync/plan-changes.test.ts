import { beforeEach, describe, expect, it } from 'vitest';
import { identify, identifyInSteps, slugsOf } from '../../../src/sync/plan/plan-changes.ts';
import { draftOf, policyOf, readingOf } from '../../support/drafts.ts';
import type { SiteModel } from '../../support/site-model.ts';
import { syncing, actionsInWords } from '../../support/syncing.ts';

let { site, ledger, plan, run, approve } = syncing();
beforeEach(() => {
  ({ site, ledger, plan, run, approve } = syncing());
});

const only = (): SiteModel['events'][number] => {
  const [event, ...others] = site.events;
  if (!event || others.length > 0) throw new Error(`${site.events.length} events`);
  return event;
};

describe('create', () => {
  it('sends the complete event, after the terms, venues and organizers that it links to', () => {
    const decided = run([
      draftOf('1', {
        title: 'Jazz',
        description: '<p>Trio</p>',
        website: '',
        categories: ['Music'],
        tags: ['imported'],
        venue: [{ venue: 'Żak', city: 'Gdańsk' }],
        organizer: [{ organizer: 'Club' }],
      }),
    ]);
    expect(actionsInWords(decided)).toEqual([
      'create categories:Music',
      'create organizers:Club',
      'create tags:imported',
      'create venues:Żak',
      'create Jazz',
    ]);
    const create = decided.actions.at(-1);
    expect(create?.fields).toEqual({
      title: 'Jazz',
      start_date: '2027-03-01 18:00:00',
      end_date: '2027-03-01 23:00:00',
      timezone: 'Europe/Warsaw',
      all_day: false,
      status: 'publish',
      description: '<p>Trio</p>',
      categories: ['categories:Music'],
      tags: ['tags:imported'],
      venue: ['venues:Żak'],
      organizer: ['organizers:Club'],
      slug: only().slug,
    });
  });

  it('an event found on the site by our key is adopted: once approved, only its empty fields are written', () => {
    run([draftOf('1', { title: 'Jazz', cost: '10' })]);
    ledger.clear();
    const wanted = [draftOf('1', { title: 'Jazz', cost: '12', website: 'https://jazz.example/' })];
    const decided = run(wanted);
    expect(decided.held).toContain(
      '1 of its events on the site differs from the feed, such as "Jazz" (in all: cost, website)',
    );
    expect(decided.actions).toMatchObject([
      { kind: 'update', fields: { website: 'https://jazz.example/' }, because: 'found on the site by its key' },
    ]);
    expect(decided.conflicts).toMatchObject([{ field: 'cost', feed: '12', site: '10' }]);
    approve(decided);
    expect(only().values).toMatchObject({ cost: '10', website: 'https://jazz.example/' });
    expect(run(wanted)).toMatchObject({ actions: [], held: null });
  });

  it('adoption finds an event whose title has changed and to whose slug the server has appended', () => {
    run([draftOf('1', { title: 'Jazz' })]);
    ledger.clear();
    only().slug += '-2';
    const decided = run([draftOf('1', { title: 'Jazz and more' })]);
    expect(decided).toMatchObject({ actions: [], conflicts: [{ slug: only().slug, field: 'title' }] });
    approve(decided);
    expect([...ledger.keys()]).toEqual([only().slug]);
    expect(only().values.title).toBe('Jazz');
  });

  it('events that share an identity are kept apart and reported', () => {
    const twins = [draftOf('same', { title: 'A' }), draftOf('same', { title: 'B' })];
    const decided = run(twins);
    expect(decided.problems.map(({ code }) => code)).toEqual(['repeated-identity']);
    expect(site.events.map(({ values }) => values.title)).toEqual(['A', 'B']);
    // When one of them is gone, the other keeps its page.
    expect(actionsInWords(run([draftOf('same', { title: 'B' })]))).toEqual([]);
    expect(site.events.map(({ values }) => values.title)).toEqual(['A', 'B']);
  });
});

describe('series that share a UID', () => {
  it('are reported once each, however many dates they have', () => {
    const dates = ['2027-03-01', '2027-03-08', '2027-03-15'];
    const series = (title: string, line: number) =>
      dates.map((day) =>
        draftOf(
          'same',
          { title, start_date: `${day} 18:00:00` },
          {
            where: { uid: 'same', line },
            rungs: { uid: 'same', recurrenceId: day, url: null, fingerprint: `${title}|${day}` },
          },
        ),
      );
    const { problems } = run([...series('Choir', 5), ...series('Dance', 15)]);
    expect(problems.map(({ message, where }) => [message, where.line])).toEqual([
      [
        '"Dance" shares its identity with 1 other event of this feed, on 3 dates; they are kept apart by their order ' +
          'in time. Give each event a UID of its own.',
        15,
      ],
    ]);
  });
});

describe('a slug to which the server appended', () => {
  it('still belongs to its event, which is updated and removed, and the ledger keeps one entry for it', () => {
    run([draftOf('1', { title: 'Jazz' }), draftOf('2')]);
    const event = site.events.find(({ values }) => values.title === 'Jazz');
    if (event) event.slug += '-2';
    run([draftOf('1', { title: 'Blues' }), draftOf('2')]);
    expect(event?.values.title).toBe('Blues');
    expect(ledger.size).toBe(2);
    run([draftOf('2')], { missing: { action: 'trash', after: 1 } });
    expect(event?.status).toBe('trash');
    expect(ledger.size).toBe(2);
  });
});

describe('update', () => {
  it('counts the events that stay as they are, and no others', () => {
    const kept = draftOf('1', { title: 'Jazz' });
    run([kept, draftOf('2', { title: 'Chess' })]);
    expect(run([kept, draftOf('2', { title: 'Go' }), draftOf('3')])).toMatchObject({ unchanged: 1, skipped: 0 });
  });

  it('a changed time is sent with both dates, the zone and all_day', () => {
    run([draftOf('1')]);
    const decided = run([draftOf('1', { start_date: '2027-03-01 19:00:00' })]);
    expect(decided.actions).toMatchObject([
      {
        kind: 'update',
        fields: {
          start_date: '2027-03-01 19:00:00',
          end_date: '2027-03-01 23:00:00',
          timezone: 'Europe/Warsaw',
          all_day: false,
        },
      },
    ]);
    expect(decided.actions[0]).toHaveProperty('changes', {
      start_date: { from: '2027-03-01 18:00:00', to: '2027-03-01 19:00:00' },
    });
  });

  it('names the edits of people that it overwrites, where the feed decides', () => {
    const authority = { default: 'feed', fields: {} } as const;
    run([draftOf('1', { title: 'Jazz', cost: '10' })], { authority });
    site.edit(only().slug, { cost: '99' });
    const decided = run([draftOf('1', { title: 'Blues', cost: '10' })], { authority });
    expect(decided.actions).toMatchObject([
      { kind: 'update', fields: { title: 'Blues', cost: '10' }, edited: ['cost'] },
    ]);
    expect(run([draftOf('1', { title: 'Folk', cost: '10' })], { authority }).actions[0]).not.toHaveProperty('edited');
  });

  it('a new title keeps the slug', () => {
    run([draftOf('1', { title: 'Jazz' })]);
    const { slug } = only();
    run([draftOf('1', { title: 'Blues' })]);
    expect(only()).toMatchObject({ slug, values: { title: 'Blues' } });
  });

  it('a value that the site renders in its own way is not an edit', () => {
    run([draftOf('1', { title: 'The "best"' })]);
    expect(only().values.title).toBe('The “best”');
    expect(plan([draftOf('1', { title: 'The "best"' })]).actions).toEqual([]);
    run([draftOf('1', { title: 'The "very best"' })]);
    expect(only().values.title).toBe('The “very best”');
  });

  it('a person’s edit stays when the feed changes, and each change is reported as a conflict once', () => {
    run([draftOf('1', { description: '<p>One</p>' })]);
    site.edit(only().slug, { description: '<p>By hand</p>' });
    expect(run([draftOf('1', { description: '<p>One</p>' })])).toMatchObject({ actions: [], conflicts: [] });
    expect(run([draftOf('1', { description: '<p>Two</p>' })])).toMatchObject({
      actions: [],
      conflicts: [{ field: 'description', feed: '<p>Two</p>', site: '<p>By hand</p>' }],
    });
    expect(run([draftOf('1', { description: '<p>Two</p>' })])).toMatchObject({ actions: [], conflicts: [] });
    expect(run([draftOf('1', { description: '<p>Three</p>' })]).conflicts).toHaveLength(1);
    expect(only().values.description).toBe('<p>By hand</p>');
  });

  it('an edit ends when a person sets the field back', () => {
    run([draftOf('1', { description: '<p>One</p>' })]);
    site.edit(only().slug, { description: '<p>By hand</p>' });
    run([draftOf('1', { description: '<p>One</p>' })]);
    site.edit(only().slug, { description: '<p>One</p>' });
    run([draftOf('1', { description: '<p>One</p>' })]);
    run([draftOf('1', { description: '<p>Two</p>' })]);
    expect(only().values.description).toBe('<p>Two</p>');
  });

  it('authority decides per field', () => {
    const authority = { default: 'feed', fields: { description: 'site' } } as const;
    run([draftOf('1', { description: '<p>One</p>', cost: '1' })], { authority });
    site.edit(only().slug, { description: '<p>By hand</p>', cost: '5' });
    const decided = run([draftOf('1', { description: '<p>Two</p>', cost: '1' })], { authority });
    expect(decided.actions).toMatchObject([
      { fields: { cost: '1' }, because: 'changed on the site, where the feed decides' },
    ]);
    expect(only().values).toMatchObject({ description: '<p>By hand</p>', cost: '1' });
  });

  it('a field that the feed leaves out is left alone, and one that it empties is emptied', () => {
    run([draftOf('1', { cost: '10', categories: ['Music'] })]);
    expect(plan([draftOf('1')]).actions).toEqual([]);
    run([draftOf('1', { cost: '', categories: [] })]);
    expect(only().values).toMatchObject({ cost: '', categories: [] });
  });
});

describe('cancelled and tentative', () => {
  const confirmed = draftOf('1', { title: 'Jazz', tags: ['imported'] });
  const cancelled = draftOf('1', { title: 'Jazz', tags: ['imported'] }, { state: 'cancelled' });
  const names = (): readonly unknown[] =>
    (Array.isArray(only().values.tags) ? (only().values.tags as readonly unknown[]) : []).map(
      (id) => site.tags.find((tag) => tag.id === id)?.name,
    );

  it('a cancelled event stays published, with the prefix of its language and the tag', () => {
    run([confirmed], { language: 'de' });
    run([cancelled], { language: 'de' });
    expect(only()).toMatchObject({ status: 'publish', values: { title: 'Abgesagt: Jazz' } });
    expect(names()).toEqual(['imported', 'cancelled']);
    expect(plan([cancelled], { language: 'de' }).actions).toEqual([]);
    run([confirmed], { language: 'de' });
    expect(only().values.title).toBe('Jazz');
    expect(names()).toEqual(['imported']);
  });

  it('fields that a cancellation leaves out stay as they are', () => {
    const said = { title: 'Jazz', description: '<p>Trio</p>', categories: ['Music'], tags: ['imported'] };
    run([draftOf('1', { ...said, venue: [{ venue: 'Hall' }] })]);
    const before = only().values;
    const silent = { title: 'Untitled event', description: '', categories: ['Library'], tags: [], venue: [] };
    const bare = draftOf('1', silent, {
      state: 'cancelled',
      unsaid: ['title', 'tags', 'categories', 'venue', 'description'],
    });
    expect(run([bare]).conflicts).toEqual([]);
    expect(only().values).toEqual({ ...before, title: 'Cancelled: Jazz', tags: only().values.tags });
    expect(names()).toEqual(['imported', 'cancelled']);
    expect(ledger.get(only().slug)?.title).toBe('Jazz');
    expect(plan([bare]).actions).toEqual([]);
    run([draftOf('1', { ...said, venue: [{ venue: 'Hall' }] })]);
    expect(only().values).toEqual(before);
  });

  it('a cancellation without a title creates no event, and brings none back', () => {
    const bare = draftOf('1', { title: 'Untitled event' }, { state: 'cancelled', unsaid: ['title'] });
    expect(run([bare])).toMatchObject({ actions: [], ledger: {} });
    run([draftOf('1', { title: 'Jazz' }), draftOf('2')]);
    const missing = { action: 'trash', after: 1 } as const;
    run([draftOf('2')], { missing });
    expect(plan([bare, draftOf('2')], { missing }).actions).toEqual([]);
  });

  it('a person’s title and tags stay when the event is cancelled and when it takes place after all', () => {
    run([draftOf('1', { title: 'Jazz' })]);
    site.tags.push({ id: 7, slug: 'hot', name: 'hot' });
    site.edit(only().slug, { title: 'Jazz!', tags: [7] });
    run([draftOf('1', { title: 'Jazz' }, { state: 'cancelled' })]);
    expect(only().values.title).toBe('Cancelled: Jazz!');
    expect(names()).toEqual(['hot', 'cancelled']);
    expect(plan([draftOf('1', { title: 'Jazz' }, { state: 'cancelled' })]).actions).toEqual([]);
    run([draftOf('1', { title: 'Jazz' })]);
    expect(only().values.title).toBe('Jazz!');
    expect(names()).toEqual(['hot']);
    expect(run([draftOf('1', { title: 'Blues' })]).conflicts).toHaveLength(1);
  });

  it('an event that takes place after all gets its title from the feed, not as the site renders it', () => {
    const title = 'It is "on"';
    run([draftOf('1', { title }, { state: 'cancelled' })]);
    expect(only().values.title).toBe('Cancelled: It is “on”');
    expect(run([draftOf('1', { title })]).actions).toMatchObject([{ kind: 'update', fields: { title } }]);
    expect(plan([draftOf('1', { title })]).actions).toEqual([]);
  });

  it('a person may remove the prefix', () => {
    run([cancelled]);
    site.edit(only().slug, { title: 'Jazz (moved to May)' });
    expect(plan([cancelled]).actions).toEqual([]);
  });

  it('a prefix that the feed writes itself is not doubled', () => {
    run([draftOf('1', { title: 'CANCELLED: Jazz' }, { state: 'cancelled' })]);
    expect(only().values.title).toBe('Cancelled: Jazz');
  });

  it('tags that a password hides are kept, as far as we know them', () => {
    run([confirmed]);
    site.protect(only().slug, true);
    run([cancelled]);
    expect(only().values.title).toBe('Cancelled: Jazz');
    expect(names()).toEqual(['imported', 'cancelled']);
    run([confirmed]);
    expect(only().values.title).toBe('Jazz');
    expect(names()).toEqual(['imported']);
  });

  it('a person’s tags that a password hides stay, and are joined by "cancelled" once they are shown', () => {
    run([confirmed]);
    site.tags.push({ id: 7, slug: 'hot', name: 'hot' });
    site.edit(only().slug, { tags: [7] });
    run([confirmed]);
    run([draftOf('1', { title: 'Jazz', tags: ['imported'], cost: '5' })]);
    site.protect(only().slug, true);
    run([cancelled]);
    expect(only().values.title).toBe('Cancelled: Jazz');
    expect(names()).toEqual(['hot']);
    site.edit(only().slug, { title: 'Jazz, not today' });
    expect(run([cancelled]).actions).toEqual([]);
    site.protect(only().slug, false);
    run([cancelled]);
    expect(names()).toEqual(['hot', 'cancelled']);
    expect(only().values.title).toBe('Jazz, not today');
    expect(run([cancelled]).actions).toEqual([]);
  });

  it('hidden tags of a person are not touched by a cancellation that is withdrawn before they are shown', () => {
    run([confirmed]);
    site.tags.push({ id: 7, slug: 'hot', name: 'hot' });
    site.edit(only().slug, { tags: [7] });
    run([draftOf('1', { title: 'Jazz', tags: ['imported'], cost: '5' })]);
    site.protect(only().slug, true);
    run([cancelled]);
    run([confirmed]);
    expect(only().values.title).toBe('Jazz');
    site.protect(only().slug, false);
    expect(run([confirmed]).actions).toEqual([]);
    expect(names()).toEqual(['hot']);
  });

  /** An event with a person's tag that left its feed while a password hid the tag. */
  const goneWhileHidden = () => {
    const missing = { action: 'cancel', after: 1 } as const;
    run([confirmed, draftOf('2')]);
    const jazz = site.events.find(({ values }) => values.title === 'Jazz');
    const slug = jazz?.slug ?? '';
    site.tags.push({ id: 7, slug: 'hot', name: 'hot' });
    site.edit(slug, { tags: [7] });
    run([draftOf('1', { title: 'Jazz', tags: ['imported'], cost: '5' }), draftOf('2')], { missing });
    site.protect(slug, true);
    run([draftOf('2')], { missing });
    expect(jazz?.values).toMatchObject({ title: 'Cancelled: Jazz', tags: [7] });
    expect(run([draftOf('2')], { missing }).actions).toEqual([]);
    return { slug, missing };
  };
  const tagsAt = (slug: string): readonly string[] => {
    const ids = site.events.find((each) => each.slug === slug)?.values.tags;
    return site.tags.flatMap(({ id, name }) => (Array.isArray(ids) && ids.includes(id) ? [name] : []));
  };

  it('an event that is gone from its feed is marked as cancelled, and gets the tag once its tags are shown', () => {
    const { slug, missing } = goneWhileHidden();
    site.edit(slug, { title: 'Jazz, not today' });
    site.protect(slug, false);
    run([draftOf('2')], { missing });
    expect(tagsAt(slug)).toEqual(['hot', 'cancelled']);
    expect(site.events.find((each) => each.slug === slug)?.values.title).toBe('Jazz, not today');
    expect(ledger.get(slug)).toMatchObject({ state: 'removed' });
    site.edit(slug, { tags: [7] });
    expect(run([draftOf('2')], { missing }).actions).toEqual([]);
  });

  it('a removal as a draft does not forget that the tag is still due', () => {
    const missing = { action: 'draft', after: 1 } as const;
    run([confirmed, draftOf('2')]);
    const slug = site.events.find(({ values }) => values.title === 'Jazz')?.slug ?? '';
    site.tags.push({ id: 7, slug: 'hot', name: 'hot' });
    site.edit(slug, { tags: [7] });
    run([draftOf('1', { title: 'Jazz', tags: ['imported'], cost: '5' }), draftOf('2')], { missing });
    site.protect(slug, true);
    run([cancelled, draftOf('2')], { missing });
    run([draftOf('2')], { missing });
    run([cancelled, draftOf('2')], { missing });
    site.protect(slug, false);
    run([cancelled, draftOf('2')], { missing });
    expect(tagsAt(slug)).toEqual(['hot', 'cancelled']);
  });

  it('an event that its feed has again, as cancelled, gets the tag once its tags are shown', () => {
    const { slug, missing } = goneWhileHidden();
    const again = [draftOf('1', { title: 'Jazz', tags: ['imported'] }, { state: 'cancelled' }), draftOf('2')];
    run(again, { missing });
    site.protect(slug, false);
    run(again, { missing });
    expect(tagsAt(slug)).toEqual(['hot', 'cancelled']);
    expect(run(again, { missing }).actions).toEqual([]);
  });

  it('a tentative event gets a tag, and keeps its title', () => {
    run([draftOf('1', { title: 'Jazz' }, { state: 'tentative' })]);
    expect(only().values.title).toBe('Jazz');
    expect(names()).toEqual(['tentative']);
  });
});

describe('identity', () => {
  it('an event that is known by its address keeps that identity when the feed adds a UID', () => {
    const rungs = { uid: null, recurrenceId: null, url: 'https://example.org/1', fingerprint: 'jazz' };
    run([draftOf('1', {}, { rungs })]);
    expect(actionsInWords(run([draftOf('1', {}, { rungs: { ...rungs, uid: 'now with a UID' } })]))).toEqual([]);
    expect([...ledger.values()]).toMatchObject([{ rung: 'url', identity: 'https://example.org/1' }]);
  });

  it('an address that several events share identifies none of them', () => {
    const rungs = { uid: null, recurrenceId: null, url: 'https://example.org/' };
    expect(
      run(['A', 'B'].map((title) => draftOf('x', { title }, { rungs: { ...rungs, fingerprint: title } }))).problems,
    ).toEqual([]);
    expect([...ledger.values()].map(({ rung }) => rung)).toEqual(['fingerprint', 'fingerprint']);
  });

  it('a snapshot asks for the slugs of drafts, but not for those of past events', () => {
    run([draftOf('1', { title: 'Old' }), draftOf('past', { start_date: '2026-03-01 18:00:00' })]);
    const asked = slugsOf({
      reading: readingOf([draftOf('1', { title: 'New' }), draftOf('2', { title: 'Second' })]),
      ledger,
      policy: policyOf(),
    });
    expect(asked.map((slug) => slug.replace(/-[a-z2-7]{14}$/, '')).sort()).toEqual(['old', 'second']);
  });

  it('a reading is identified once for one ledger, and again for another', () => {
    const known = { reading: readingOf([draftOf('1', { title: 'Jazz' })]), ledger, policy: policyOf() };
    expect(identify({ ...known })).toBe(identify(known));
    run([draftOf('1', { title: 'Jazz' })]);
    const later = identify({ ...known, ledger: new Map(ledger) });
    expect(later.value[0]?.entry).toBeDefined();
  });

  it('a reading is identified in at least one step per draft, so that other work can run in between', () => {
    const drafts = Array.from({ length: 40 }, (_, index) => draftOf(String(index), { title: `Jazz ${index}` }));
    const steps = identifyInSteps({ reading: readingOf(drafts), ledger, policy: policyOf() });
    expect([...steps].length).toBeGreaterThanOrEqual(40);
  });
});
