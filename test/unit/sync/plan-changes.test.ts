import { beforeEach, describe, expect, it } from 'vitest';
import type { EventDraft, FeedReading } from '../../../src/sync/draft.ts';
import { planChanges, slugsOf } from '../../../src/sync/plan-changes.ts';
import type { LedgerEntry, Plan, Policy } from '../../../src/sync/plan.ts';
import { draftOf, NOW, policyOf, readingOf } from '../../support/drafts.ts';
import { applyPlan, SiteModel } from '../../support/site-model.ts';

let site: SiteModel;
let ledger: Map<string, LedgerEntry>;
beforeEach(() => {
  site = new SiteModel();
  ledger = new Map();
});

const plan = (drafts: readonly EventDraft[], policy: Partial<Policy> = {}, reading: Partial<FeedReading> = {}): Plan =>
  planChanges({ reading: readingOf(drafts, reading), snapshot: site.snapshot(), ledger, policy: policyOf(policy) });

/** One run: plans, and writes unless the plan is held. */
function run(drafts: readonly EventDraft[], policy: Partial<Policy> = {}, reading: Partial<FeedReading> = {}): Plan {
  const decided = plan(drafts, policy, reading);
  if (decided.held === null) applyPlan(site, decided, ledger);
  return decided;
}
const words = ({ actions }: Plan): readonly string[] => actions.map((action) => `${action.kind} ${'ref' in action ? action.ref : action.title}`);
const only = (): SiteModel['events'][number] => {
  const [event, ...others] = site.events;
  if (!event || others.length > 0) throw new Error(`${site.events.length} events`);
  return event;
};
const many = (count: number, from = 0): EventDraft[] => Array.from({ length: count }, (_, index) => draftOf(`u${index + from}`, { title: `Event ${index + from}` }));

describe('create', () => {
  it('sends the complete event, terms first, then venues and organizers', () => {
    const decided = run([draftOf('1', { title: 'Jazz', description: '<p>Trio</p>', website: '', categories: ['Music'], tags: ['imported'], venue: [{ venue: 'Żak', city: 'Gdańsk' }], organizer: [{ organizer: 'Club' }] })]);
    expect(words(decided)).toEqual(['create categories:Music', 'create organizers:Club', 'create tags:imported', 'create venues:Żak', 'create Jazz']);
    const create = decided.actions.at(-1);
    expect(create?.fields).toEqual({
      title: 'Jazz', start_date: '2027-03-01 18:00:00', end_date: '2027-03-01 23:00:00', timezone: 'Europe/Warsaw', all_day: false, status: 'publish', description: '<p>Trio</p>',
      categories: ['categories:Music'], tags: ['tags:imported'], venue: ['venues:Żak'], organizer: ['organizers:Club'], slug: only().slug,
    });
  });

  it('an event that is on the site by our key is adopted: only what differs is written', () => {
    run([draftOf('1', { title: 'Jazz', cost: '10' })]);
    ledger.clear();
    const decided = run([draftOf('1', { title: 'Jazz', cost: '12' })]);
    expect(decided.actions).toMatchObject([{ kind: 'update', fields: { cost: '12' }, because: 'found on the site by its key' }]);
    expect(site.events).toHaveLength(1);
  });

  it('adoption finds the event also when its title has changed or the server appended to the slug', () => {
    run([draftOf('1', { title: 'Jazz' })]);
    ledger.clear();
    only().slug += '-2';
    run([draftOf('1', { title: 'Jazz and more' })]);
    expect(only().values.title).toBe('Jazz and more');
    expect([...ledger.keys()]).toEqual([only().slug]);
  });

  it('events that share an identity are kept apart and reported', () => {
    const twins = [draftOf('same', { title: 'A' }), draftOf('same', { title: 'B' })];
    const decided = run(twins);
    expect(decided.problems.map(({ code }) => code)).toEqual(['repeated-identity']);
    expect(site.events.map(({ values }) => values.title)).toEqual(['A', 'B']);
    // One of them gone: the other one stays who it was.
    expect(words(run([draftOf('same', { title: 'B' })]))).toEqual([]);
    expect(site.events.map(({ values }) => values.title)).toEqual(['A', 'B']);
  });
});

describe('a slug to which the server appended', () => {
  it('is still the event’s: it is updated, counted and removed under its first slug, and the ledger keeps one entry', () => {
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
  it('a changed time goes out with both dates, the zone and all_day', () => {
    run([draftOf('1')]);
    const decided = run([draftOf('1', { start_date: '2027-03-01 19:00:00' })]);
    expect(decided.actions).toMatchObject([{ kind: 'update', fields: { start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 23:00:00', timezone: 'Europe/Warsaw', all_day: false } }]);
    expect(decided.actions[0]).toHaveProperty('changes', { start_date: { from: '2027-03-01 18:00:00', to: '2027-03-01 19:00:00' } });
  });

  it('a new title keeps the slug', () => {
    run([draftOf('1', { title: 'Jazz' })]);
    const { slug } = only();
    run([draftOf('1', { title: 'Blues' })]);
    expect(only()).toMatchObject({ slug, values: { title: 'Blues' } });
  });

  it('what the site renders its own way is no edit', () => {
    run([draftOf('1', { title: 'The "best"' })]);
    expect(only().values.title).toBe('The “best”');
    expect(plan([draftOf('1', { title: 'The "best"' })]).actions).toEqual([]);
    run([draftOf('1', { title: 'The "very best"' })]);
    expect(only().values.title).toBe('The “very best”');
  });

  it('a person’s edit stays, also when the feed changes; one change is one conflict, once', () => {
    run([draftOf('1', { description: '<p>One</p>' })]);
    site.edit(only().slug, { description: '<p>By hand</p>' });
    expect(run([draftOf('1', { description: '<p>One</p>' })])).toMatchObject({ actions: [], conflicts: [] });
    expect(run([draftOf('1', { description: '<p>Two</p>' })])).toMatchObject({ actions: [], conflicts: [{ field: 'description', feed: '<p>Two</p>', site: '<p>By hand</p>' }] });
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
    expect(decided.actions).toMatchObject([{ fields: { cost: '1' }, because: 'changed on the site, where the feed decides' }]);
    expect(only().values).toMatchObject({ description: '<p>By hand</p>', cost: '1' });
  });

  it('what the feed says nothing about is left alone, what it empties is emptied', () => {
    run([draftOf('1', { cost: '10', categories: ['Music'] })]);
    expect(plan([draftOf('1')]).actions).toEqual([]);
    run([draftOf('1', { cost: '', categories: [] })]);
    expect(only().values).toMatchObject({ cost: '', categories: [] });
  });
});

describe('cancelled and tentative', () => {
  const confirmed = draftOf('1', { title: 'Jazz', tags: ['imported'] });
  const cancelled = draftOf('1', { title: 'Jazz', tags: ['imported'] }, { state: 'cancelled' });
  const names = (): readonly unknown[] => (Array.isArray(only().values.tags) ? only().values.tags as readonly unknown[] : []).map((id) => site.tags.find((tag) => tag.id === id)?.name);

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

  it('a person may take the prefix away', () => {
    run([cancelled]);
    site.edit(only().slug, { title: 'Jazz (moved to May)' });
    expect(plan([cancelled]).actions).toEqual([]);
  });

  it('a feed that writes the prefix itself gets it once', () => {
    run([draftOf('1', { title: 'CANCELLED: Jazz' }, { state: 'cancelled' })]);
    expect(only().values.title).toBe('Cancelled: Jazz');
  });

  it('tentative is a tag', () => {
    run([draftOf('1', { title: 'Jazz' }, { state: 'tentative' })]);
    expect(only().values.title).toBe('Jazz');
    expect(names()).toEqual(['tentative']);
  });
});

describe('gone from the feed', () => {
  const both = [draftOf('1', { title: 'One' }), draftOf('2', { title: 'Two', start_date: '2027-03-02 18:00:00' })];
  const [one] = both as [EventDraft, EventDraft];

  it('counts good fetches, and removes after missing.after of them', () => {
    run(both);
    expect([run([one]), run([one])].flatMap(words)).toEqual([]);
    const decided = run([one]);
    expect(decided.actions).toMatchObject([{ kind: 'remove', how: 'trash', title: 'Two', because: 'gone from the feed for 3 good fetches' }]);
    expect(site.events.map(({ status }) => status)).toEqual(['publish', 'trash']);
    expect(words(run([one]))).toEqual([]);
  });

  it('a fetch with it starts the count again', () => {
    run(both);
    for (const drafts of [[one], [one], both, [one], [one]]) expect(words(run(drafts))).toEqual([]);
    expect(words(run([one]))).toEqual(['remove Two']);
  });

  it('nothing is counted while something in the feed could not be read', () => {
    run(both);
    for (let fetches = 0; fetches < 9; fetches += 1) expect(words(run([one], {}, { unread: [{ line: 3 }] }))).toEqual([]);
    expect([...ledger.values()].map(({ missing }) => missing)).toEqual([0, 0]);
  });

  it('what a rule excludes is removed at once', () => {
    run(both);
    const excluded = [{ rungs: both[1]?.rungs ?? one.rungs, title: 'Two', because: 'left out by the rule skip' }];
    expect(run([one], {}, { excluded }).actions).toMatchObject([{ kind: 'remove', title: 'Two', because: 'left out by the rule skip' }]);
  });

  const left: readonly (readonly [string, Partial<Policy>, Partial<FeedReading>])[] = [
    ['in the past', { now: NOW + 365 * 86_400_000 }, {}],
    ['after what the feed covers', {}, { coversUntil: NOW }],
    ['moved out of the window', {}, { outside: ['2'] }],
    ['missing.action keep', { missing: { action: 'keep', after: 1 } }, {}],
  ];
  it.each(left)('is left alone: %s', (_name, policy, reading) => {
    run(both);
    for (let fetches = 0; fetches < 5; fetches += 1) expect(words(run([one], policy, reading))).toEqual([]);
  });

  it('an occurrence that its series does not have any more is gone, although the series goes on beyond the window', () => {
    const [first, second] = ['20270301T180000', '20270308T180000'].map((id) => draftOf('series', { title: id }, { rungs: { uid: 'series', recurrenceId: id, url: null, fingerprint: id } })) as [EventDraft, EventDraft];
    run([first, second]);
    const decided = run([first], { missing: { action: 'trash', after: 1 } }, { outside: ['series'] });
    expect(words(decided)).toEqual(['remove 20270308T180000']);
  });

  it('missing.action draft and cancel, and the way back', () => {
    for (const action of ['draft', 'cancel', 'trash'] as const) {
      site = new SiteModel();
      ledger = new Map();
      const missing = { action, after: 1 };
      run(both, { missing });
      const before = structuredClone(site.events);
      run([one], { missing });
      expect(site.events[1]).toMatchObject({ draft: { status: 'draft' }, cancel: { status: 'publish', values: { title: 'Cancelled: Two' } }, trash: { status: 'trash' } }[action]);
      expect(words(run([one], { missing }))).toEqual([]);
      expect(run(both, { missing }).actions).toMatchObject([{ kind: 'update', because: 'back in the feed' }]);
      expect(site.events).toEqual(before);
      expect(words(run(both, { missing }))).toEqual([]);
    }
  });

  it('what we removed and the site has deleted since is created again under its slug', () => {
    const missing = { action: 'trash', after: 1 } as const;
    run(both, { missing });
    run([one], { missing });
    site.events.splice(1, 1);
    expect(run(both, { missing }).actions).toMatchObject([{ kind: 'create', title: 'Two', because: 'back in the feed' }]);
  });
});

describe('absent on the site', () => {
  it('what a person trashed stays there', () => {
    run([draftOf('1')]);
    only().status = 'trash';
    expect(run([draftOf('1', { title: 'New title' })])).toMatchObject({ actions: [], skipped: 1 });
    expect([...ledger.values()]).toMatchObject([{ state: 'ignored' }]);
    expect(run([draftOf('1', { title: 'Newer title' })])).toMatchObject({ actions: [], skipped: 1, ledger: expect.anything() });
  });

  it('what a person trashed and took back is kept in step again', () => {
    run([draftOf('1')]);
    only().status = 'trash';
    run([draftOf('1')]);
    only().status = 'publish';
    run([draftOf('1', { title: 'New title' })]);
    expect(only().values.title).toBe('New title');
  });

  it('a few that are not to be found at all are ignored', () => {
    run(many(20));
    site.events.splice(0, 2);
    expect(run(many(20))).toMatchObject({ actions: [], skipped: 2, held: null });
  });

  it('many that are not to be found at all: the site was lost or restored, and approving creates them again', () => {
    run(many(20));
    site.events.splice(0, 12);
    const decided = run(many(20));
    expect(decided.held).toBe('Site lost or restored: 12 of 20 upcoming events that were written before are not found on the site any more. Approving creates them again.');
    expect(decided.actions.map(({ kind }) => kind)).toEqual(Array.from({ length: 12 }, () => 'create'));
    applyPlan(site, decided, ledger);
    expect(plan(many(20)).actions).toEqual([]);
  });
});

describe('guards', () => {
  const missing = { action: 'trash', after: 1 } as const;
  const removals: readonly (readonly [string, number, number, boolean])[] = [
    ['3 of 3: not more than 3 events', 3, 3, false], ['4 of 20: not more than 20 %', 20, 4, false], ['5 of 20', 20, 5, true], ['4 of 4', 4, 4, true],
  ];
  it.each(removals)('mass removal: %s', (_name, all, gone, isHeld) => {
    run(many(all), { missing });
    const decided = run([...many(all).slice(gone), draftOf('new')], { missing });
    expect(decided.held !== null).toBe(isHeld);
    expect(decided.held ?? `${gone} of ${all} upcoming events`).toContain(`${gone} of ${all} upcoming events`);
    expect(decided.actions.filter(({ kind }) => kind === 'remove')).toHaveLength(gone);
  });

  it('a calendar without any event, where there were some, is held whatever their number', () => {
    run(many(1));
    expect(run([])).toMatchObject({ held: expect.stringContaining('without any event'), actions: [{ kind: 'remove' }] });
    expect(run([], {}, { unread: [{ line: 1 }] })).toMatchObject({ held: null, actions: [] });
    expect(run([], {}, { outside: ['0'] })).toMatchObject({ held: null, actions: [] });
  });

  it('a calendar that never had an event is nothing to hold', () => expect(run([])).toMatchObject({ held: null, actions: [] }));
});

describe('identity', () => {
  it('a draft is known by its slug whatever the ledger calls it, and a rung that the feed loses is stepped down from', () => {
    const rungs = { uid: null, recurrenceId: null, url: 'https://example.org/1', fingerprint: 'jazz' };
    run([draftOf('1', {}, { rungs })]);
    expect(words(run([draftOf('1', {}, { rungs: { ...rungs, uid: 'now with a UID' } })]))).toEqual([]);
    expect([...ledger.values()]).toMatchObject([{ rung: 'url', identity: 'https://example.org/1' }]);
  });

  it('an address that several events share identifies none of them', () => {
    const rungs = { uid: null, recurrenceId: null, url: 'https://example.org/' };
    expect(run(['A', 'B'].map((title) => draftOf('x', { title }, { rungs: { ...rungs, fingerprint: title } }))).problems).toEqual([]);
    expect([...ledger.values()].map(({ rung }) => rung)).toEqual(['fingerprint', 'fingerprint']);
  });

  it('a snapshot has to look for the slugs of drafts and of what is still to come', () => {
    run([draftOf('1', { title: 'Old' }), draftOf('past', { start_date: '2026-03-01 18:00:00' })]);
    const asked = slugsOf(readingOf([draftOf('1', { title: 'New' }), draftOf('2', { title: 'Second' })]), ledger, policyOf());
    expect(asked.map((slug) => slug.replace(/-[a-z2-7]{14}$/, '')).sort()).toEqual(['old', 'second']);
  });
});
