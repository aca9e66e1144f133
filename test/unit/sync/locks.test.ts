import { describe, expect, test } from 'vitest';
import { lockFields, unlockFields } from '../../../src/sync/decisions/lock.ts';
import { planDismiss } from '../../../src/sync/decisions/dismiss.ts';
import { planUndo } from '../../../src/sync/decisions/undo.ts';
import { FIELD_NAMES, UNITS, type FieldName } from '../../../src/sync/model/fields.ts';
import type { EventDraft, EventFields } from '../../../src/sync/model/draft.ts';
import type { LedgerEntry, Plan, Policy } from '../../../src/sync/model/plan.ts';
import { draftOf, policyOf } from '../../support/drafts.ts';
import { applyPlan, type SiteModel } from '../../support/site-model.ts';
import { syncing, actionsInWords } from '../../support/syncing.ts';

const FIRST: Partial<EventFields> = {
  description: '<p>One</p>',
  website: 'https://one.example/',
  cost: '1',
  featured: false,
  categories: ['One'],
  tags: ['one'],
  venue: [{ venue: 'One' }],
  organizer: [{ organizer: 'One' }],
};
/** Another value of every field. */
const CHANGED: Partial<EventFields> = {
  title: 'Another',
  start_date: '2027-04-02 10:00:00',
  timezone: 'Europe/Berlin',
  description: '<p>Two</p>',
  website: 'https://two.example/',
  cost: '2',
  featured: true,
  categories: ['Two'],
  tags: ['two'],
  venue: [{ venue: 'Two' }],
  organizer: [{ organizer: 'Two' }],
};

/** An event that is synced, then changed by `change`. */
function synced(change: (entry: LedgerEntry) => Plan) {
  const world = syncing();
  world.run([draftOf('u1', FIRST)]);
  const [entry] = world.ledger.values();
  if (!entry) throw new Error('nothing was synced');
  applyPlan(world.site, change(entry), world.ledger);
  return { ...world, entry };
}

const sentIn = ({ actions }: Plan): readonly string[] =>
  actions.flatMap((action) => (action.resource === 'events' ? Object.keys(action.fields) : []));

describe('a locked field is never written', () => {
  const AUTHORITIES: readonly Policy['authority'][] = [
    { default: 'preserve', fields: {} },
    { default: 'feed', fields: {} },
    { default: 'preserve', fields: Object.fromEntries(FIELD_NAMES.map((field) => [field, 'feed' as const])) },
  ];
  const STATES: readonly EventDraft['state'][] = ['confirmed', 'cancelled', 'tentative'];
  const CASES = UNITS.flatMap((unit) => AUTHORITIES.map((authority, index) => ({ unit, authority, index })));

  test.each(CASES)('$unit, authority $index', ({ unit, authority }) => {
    for (const state of STATES) {
      const { plan, site } = synced((entry) => lockFields(entry, unit));
      const [post] = site.events;
      if (unit.includes('website')) post!.values.website = 'https://by-hand.example/';
      const planned = plan([draftOf('u1', CHANGED, { state })], { authority });
      expect(sentIn(planned).filter((field) => unit.some((each) => each === field))).toEqual([]);
      expect(planned.conflicts.filter(({ field }) => unit.some((each) => each === field))).toEqual([]);
      // Other fields are written.
      expect(sentIn(planned).length).toBeGreaterThan(3);
    }
  });

  test('if all are locked, nothing is written, however often the feed changes', () => {
    const { run, site } = synced((entry) => lockFields(entry, FIELD_NAMES));
    const before = structuredClone(site.events);
    for (const title of ['Two', 'Three', 'Two'])
      expect(actionsInWords(run([draftOf('u1', { ...CHANGED, title }, { state: 'cancelled' })]))).toEqual([]);
    expect(site.events).toEqual(before);
  });
});

/** What visitors see of the first event's state. */
const shown = ({ events, tags }: SiteModel) => ({
  title: events[0]!.values.title,
  tags: tags.flatMap(({ id, name }) => ((events[0]!.values.tags as number[]).includes(id) ? [name] : [])).toSorted(),
});

describe('an unlocked field', () => {
  const WHEN = UNITS.find((unit) => unit.includes('start_date')) as readonly FieldName[];

  test('gets the latest value of the feed, unless a person has edited it', () => {
    const { ledger, run, site } = synced((entry) => lockFields(entry, ['title', 'cost', ...WHEN]));
    site.events[0]!.values.cost = 'by hand';
    expect(
      actionsInWords(
        run([draftOf('u1', { ...FIRST, title: 'Another', cost: '2', start_date: '2027-05-01 10:00:00' })]),
      ),
    ).toEqual([]);
    const [locked] = ledger.values();
    applyPlan(site, unlockFields(locked!, ['title', 'cost', ...WHEN]), ledger);
    const after = run([draftOf('u1', { ...FIRST, title: 'Another', cost: '2', start_date: '2027-05-01 10:00:00' })]);
    expect(sentIn(after).toSorted()).toEqual([...WHEN, 'title'].toSorted());
    expect(site.events[0]!.values).toMatchObject({
      title: 'Another',
      cost: 'by hand',
      start_date: '2027-05-01 10:00:00',
    });
  });

  /** Locks an event whole, lets `meanwhile` happen to it, and unlocks it. */
  const lockedWhile = (meanwhile: (world: ReturnType<typeof synced>) => void) => {
    const world = synced((entry) => lockFields(entry, FIELD_NAMES));
    meanwhile(world);
    applyPlan(world.site, unlockFields([...world.ledger.values()][0]!, FIELD_NAMES), world.ledger);
    return world;
  };

  test.each(['preserve', 'site'] as const)('keeps an edit that a person made while it was locked: %s', (by) => {
    const { run, site, ledger } = lockedWhile(({ site: { events } }) => (events[0]!.values.title = 'By hand'));
    const authority = { default: by, fields: {} };
    expect(run([draftOf('u1', FIRST)], { authority })).toMatchObject({ actions: [], conflicts: [] });
    expect(site.events[0]!.values.title).toBe('By hand');
    expect([...ledger.values()][0]?.fields.title?.by).toBe('person');
    expect(actionsInWords(run([draftOf('u1', FIRST)], { authority }))).toEqual([]);
  });

  test('is in conflict only once the feed changes it, too', () => {
    const { run } = lockedWhile(({ site: { events } }) => (events[0]!.values.title = 'By hand'));
    expect(run([draftOf('u1', { ...FIRST, title: 'Another' })]).conflicts).toMatchObject([{ field: 'title' }]);
  });

  test.each([
    ['cancelled', 'confirmed', FIRST],
    ['confirmed', 'cancelled', FIRST],
    ['cancelled', 'confirmed', {}],
    ['confirmed', 'cancelled', {}],
    ['tentative', 'cancelled', {}],
  ] as const)('shows the state that the feed has given it meanwhile: from %s to %s', (before, after, fields) => {
    const world = syncing();
    world.run([draftOf('u1', fields, { state: before })]);
    const { site, ledger, run } = world;
    applyPlan(site, lockFields([...ledger.values()][0]!, FIELD_NAMES), ledger);
    expect(actionsInWords(run([draftOf('u1', fields, { state: after })]))).toEqual([]);
    applyPlan(site, unlockFields([...ledger.values()][0]!, FIELD_NAMES), ledger);
    run([draftOf('u1', fields, { state: after })]);
    const fresh = syncing();
    fresh.run([draftOf('u1', fields, { state: after })]);
    expect(shown(site)).toEqual(shown(fresh.site));
    expect(actionsInWords(run([draftOf('u1', fields, { state: after })]))).toEqual([]);
  });

  // The site may show the same already in its own form, as a price with its currency.
  test('is written with a reason that is true whether or not the feed has changed', () => {
    const { run } = lockedWhile((world) => world.run([draftOf('u1', { ...FIRST, cost: '2' })]));
    expect(run([draftOf('u1', { ...FIRST, cost: '2' })]).actions).toMatchObject([
      { fields: { cost: '2' }, because: 'unlocked by a person, so what the feed says is written' },
    ]);
  });

  test.each([
    ['cost', '1', '1 €'],
    ['image', 'https://one.example/one.png', 'https://site.example/media/8.webp'],
  ] as const)('is not written where the site shows what it has made of the same: %s', (field, said, made) => {
    const world = syncing();
    const draft = draftOf('u1', { ...FIRST, [field]: said });
    world.run([draft]);
    const [entry] = world.ledger.values();
    const { [field]: state = { feed: said, by: 'feed' }, ...fields } = entry!.fields;
    world.site.events[0]!.values[field] = made;
    const asMade = { ...entry!, fields: { ...fields, [field]: { ...state, returned: made } } };
    applyPlan(world.site, lockFields(asMade, FIELD_NAMES), world.ledger);
    applyPlan(world.site, unlockFields([...world.ledger.values()][0]!, FIELD_NAMES), world.ledger);
    expect(actionsInWords(world.run([draft]))).toEqual([]);
    expect([...world.ledger.values()][0]!.fields[field]).not.toHaveProperty('unlocked');
  });

  test('is no longer marked as unlocked once a run has compared it', () => {
    const { run, ledger } = lockedWhile(() => undefined);
    expect(actionsInWords(run([draftOf('u1', FIRST)]))).toEqual([]);
    expect(Object.values([...ledger.values()][0]!.fields).filter(({ unlocked }) => unlocked)).toEqual([]);
  });

  test('is in the ledger as it was before it was locked, if its feed has not changed', () => {
    const { run, ledger, entry } = lockedWhile((world) => world.run([draftOf('u1', FIRST)]));
    run([draftOf('u1', FIRST)]);
    expect([...ledger.values()]).toEqual([entry]);
  });

  test('has no lock in the ledger any more', () => {
    const { ledger, entry } = synced((each) => lockFields(each, FIELD_NAMES));
    const [locked] = ledger.values();
    const change = unlockFields(locked!, FIELD_NAMES).ledger[entry.slug];
    expect(FIELD_NAMES.filter((field) => change?.entry.fields[field]?.locked)).toEqual([]);
  });
});

test('a dismissed event stays off the site, whatever its feed says, until its dismissal is undone', () => {
  const { ledger, run, site, entry } = synced((each) => lockFields(each, []));
  const snapshot = site.snapshot();
  const onSite = [...snapshot.events.values()].find(({ slug }) => slug === entry.slug);
  const plan = planDismiss(entry, onSite, snapshot, policyOf());
  expect(actionsInWords(plan)).toEqual(['remove Event u1']);
  applyPlan(site, plan, ledger);
  expect(site.events[0]!.status).toBe('trash');
  for (const fields of [FIRST, CHANGED]) expect(actionsInWords(run([draftOf('u1', fields)]))).toEqual([]);
  expect([...ledger.values()]).toMatchObject([{ state: 'ignored' }]);
  const [post] = site.events;
  const undo = planUndo({
    run: 'library-1',
    done: plan.actions.map((action) => ({
      action,
      change: plan.ledger[entry.slug] ?? null,
      outcome: { kind: 'done', id: post!.id, slug: entry.slug, values: { ...post!.values, status: 'trash' } },
    })),
    refs: plan.refs,
    movedRefs: new Set(),
    snapshot: site.snapshot(),
    onSite: (slug) => site.snapshot().events.get(slug),
    ledger,
    policy: policyOf(),
  });
  expect(undo).toMatchObject({ actions: [{ kind: 'update', slug: entry.slug, fields: { status: 'publish' } }] });
  applyPlan(site, undo, ledger);
  expect(site.events).toMatchObject([{ status: 'publish', values: { title: 'Event u1', cost: '1' } }]);
  expect(actionsInWords(run([draftOf('u1', { ...FIRST, cost: '2' })]))).toEqual(['update Event u1']);
  expect(site.events).toMatchObject([{ status: 'publish', values: { cost: '2' } }]);
});
