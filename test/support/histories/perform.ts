import { startAdoption } from '../../../src/run/decisions/adopt-events.ts';
import { startAttach, startDetach } from '../../../src/run/decisions/detach-event.ts';
import {
  startDismiss,
  startLock,
  startRestore,
  startSettle,
  startUnlock,
} from '../../../src/run/decisions/settle-event.ts';
import { howRemoved } from '../../../src/sync/event/life.ts';
import type { FieldName } from '../../../src/sync/model/fields.ts';
import type { LedgerEntry, Report } from '../../../src/sync/model/plan.ts';
import type { Doing, EditName, Seed } from './history.ts';
import { bareOf, count, isLive, type Living } from './living.ts';
import type { Shown } from './place.ts';
import { addItem, pick, wallOf } from './source.ts';
import { undo } from './undo.ts';

type Of<K extends Doing['kind']> = Extract<Doing, { kind: K }>;

/** Carries out what people do on the site and what operators decide. */
export async function perform(living: Living, doing: Doing): Promise<void> {
  const { place } = living;
  place.clock.now += 60_000;
  const posts = await place.shown();
  switch (doing.kind) {
    case 'edit':
      return edit(living, pick(posts.filter(isLive), doing.at), doing.what);
    case 'trash':
      return trash(living, pick(posts.filter(isLive), doing.at));
    case 'untrash':
      return untrash(
        living,
        pick(
          posts.filter((post) => !isLive(post)),
          doing.at,
        ),
      );
    case 'venue':
      return editVenue(living, doing);
    case 'undo':
      return undo(living, undefined);
    case 'undo event':
      return undo(living, doing.at);
    case 'adopt':
      return adopt(living, doing.seed);
    case 'settle':
    case 'lock':
    case 'unlock':
    case 'dismiss':
    case 'restore':
    case 'detach':
    case 'attach':
      return decide(living, doing);
  }
}

const COLUMNS: Readonly<Record<EditName, readonly string[]>> = {
  title: ['title'],
  description: ['description'],
  cost: ['cost_values', 'cost_symbol'],
  featured: ['featured'],
  website: ['website'],
  when: ['start_wall', 'end_wall', 'timezone'],
  categories: ['categories'],
  tags: ['tags'],
  venue: ['venue_ids'],
  'no venue': ['venue_ids'],
  organizer: ['organizers'],
  hide: ['hide_from_listings'],
  withdraw: ['status'],
  publish: ['status'],
};

async function edit(living: Living, post: Shown | undefined, what: EditName): Promise<void> {
  const body = post && (await bodyOf(living, post, what));
  if (!body) return;
  await living.place.write(`/events/${post.id}`, body);
  // Even an edit that changes nothing visible has been saved.
  living.touched.add(post.id);
  const now = (await living.place.shown()).find(({ id }) => id === post.id)!;
  const fields = living.edits.get(post.id) ?? new Map<string, unknown>();
  for (const column of COLUMNS[what])
    if (JSON.stringify(now[column]) !== JSON.stringify(post[column])) fields.set(column, now[column]);
  living.edits.set(post.id, fields);
  const locked = living.locks.get(post.id);
  for (const column of locked?.keys() ?? []) locked!.set(column, now[column]);
  if (living.own.has(post.id)) living.own.set(post.id, bareOf(now));
}

type Body = Readonly<Record<string, unknown>>;

async function bodyOf(living: Living, post: Shown, what: EditName): Promise<Body | undefined> {
  const number = (living.number += 1);
  const day = `2027-04-${String(1 + (number % 28)).padStart(2, '0')}`;
  const venue = pick(
    (await living.place.venues()).filter(({ status }) => status === 'publish'),
    number,
  );
  return {
    title: { title: `By hand ${number}` },
    description: { description: `<p>By hand ${number}</p>` },
    cost: { cost: `${number}zł` },
    featured: { featured: post['featured'] !== true },
    website: { website: `https://hand.example/${number}` },
    when: { start_date: `${day} 07:00:00`, end_date: `${day} 08:00:00` },
    categories: { categories: [`Hand ${number % 3}`] },
    tags: { tags: [`hand ${number % 3}`] },
    venue: venue && { venue: venue.id },
    'no venue': { venue: [] },
    organizer: { organizer: { organizer: `Hand ${number % 3}` } },
    hide: { hide_from_listings: true },
    withdraw: post.status === 'draft' ? undefined : { status: 'draft' },
    publish: post.status === 'publish' ? undefined : { status: 'publish' },
  }[what];
}

async function trash(living: Living, post: Shown | undefined): Promise<void> {
  if (!post) return;
  await living.place.write(`/events/${post.id}`);
  // What calsyncd has trashed itself comes back with the feed, even if a person took it out and put it in again.
  const isTheirs = [...(await living.place.ledger()).values()].some(
    (entry) =>
      entry.id === post.id && (entry.state === 'kept' || ['draft', 'cancel'].includes(howRemoved(entry) ?? '')),
  );
  if (isTheirs) living.off.add(post.id);
  living.own.delete(post.id);
}

async function untrash(living: Living, post: Shown | undefined): Promise<void> {
  if (!post) return;
  await living.place.write(`/events/${post.id}`, { status: 'publish' });
  // An event leaves the trash as published, whatever its status was before.
  living.edits.get(post.id)?.delete('status');
  living.locks.delete(post.id);
  living.off.delete(post.id);
}

async function editVenue(living: Living, { at, what }: Of<'venue'>): Promise<void> {
  const { place } = living;
  const number = (living.number += 1);
  if (what === 'add') {
    const venue = ['Town Hall', 'Park', 'Main Library', 'Café "Ą" & Co'][number % 4];
    const where = number % 2 === 0 ? { city: 'York', address: `Hand Street ${number}` } : {};
    await place.write('/venues', { venue, ...where });
    return;
  }
  const from = what === 'untrash' ? 'trash' : 'publish';
  const venue = pick(
    (await place.venues()).filter(({ status }) => status === from),
    at,
  );
  if (!venue) return;
  const bodies: Readonly<Record<typeof what, Body | undefined>> = {
    trash: undefined,
    untrash: { status: 'publish' },
    rename: { venue: `${venue.title} by hand ${number}` },
    address: { address: `By hand ${number}` },
    city: { city: `Handtown ${number}` },
  };
  await place.write(`/venues/${venue.id}`, bodies[what]);
  if (what !== 'trash' && what !== 'untrash') return;
  // Events lose a trashed venue and get it back with it.
  for (const fields of [...living.edits.values(), ...living.locks.values()]) fields.delete('venue_ids');
  for (const post of await place.shown()) if (living.own.has(post.id)) living.own.set(post.id, bareOf(post));
}

/** A person has created an event by hand that the feed brings as well, and the source adopts it. */
async function adopt(living: Living, seed: Seed): Promise<void> {
  const { place } = living;
  const title = `${seed.title} adopted ${(living.number += 1)}`;
  const item: Seed = { ...seed, title, series: null, state: 'CONFIRMED' };
  const [wall, timezone] = [wallOf(item), 'Europe/Warsaw'];
  const body = { title: title.replaceAll('<', '&lt;'), start_date: wall, end_date: wall, timezone };
  const id = await place.write('/events', body);
  addItem(place.source, item);
  living.isDue = true;
  await place.decide((context, setup) => startAdoption(context, setup));
  if ([...(await place.ledger()).values()].some((entry) => entry.id === id)) count(living, 'adopted');
}

type Decision = Of<'settle' | 'lock' | 'unlock' | 'dismiss' | 'restore' | 'detach' | 'attach'>;

async function decide(living: Living, doing: Decision): Promise<void> {
  const { place } = living;
  const state = { restore: 'ignored', attach: 'detached' }[doing.kind as string] ?? 'kept';
  const entry = pick(
    [...(await place.ledger()).values()]
      .filter((each) => each.state === state)
      .toSorted((one, other) => (one.slug < other.slug ? -1 : 1)),
    doing.at,
  );
  const report = entry && (await decidedRun(living, doing, entry));
  if (!report || report.state === 'failed' || entry.id === null) return;
  count(living, doing.kind);
  await remember(living, doing, entry.id);
}

const decidedRun = ({ place }: Living, doing: Decision, { slug }: LedgerEntry): Promise<Report | undefined> =>
  place.decide((context, setup) => {
    switch (doing.kind) {
      case 'settle':
        return startSettle(context, setup, slug, doing.field as FieldName, doing.winner as 'feed' | 'site');
      case 'lock':
        return startLock(context, setup, slug, doing.field as FieldName);
      case 'unlock':
        return startUnlock(context, setup, slug, undefined);
      default:
        return { dismiss: startDismiss, restore: startRestore, detach: startDetach, attach: startAttach }[doing.kind](
          context,
          setup,
          slug,
        );
    }
  });

const LOCKED: Readonly<Record<string, readonly string[]>> = {
  ...COLUMNS,
  start_date: COLUMNS.when,
  status: COLUMNS.withdraw,
};

async function remember(living: Living, doing: Decision, id: number): Promise<void> {
  const { edits, locks, own, off, place } = living;
  const now = (await place.shown()).find((post) => post.id === id);
  if (doing.kind === 'lock') {
    const locked = locks.get(id) ?? new Map<string, unknown>();
    for (const column of LOCKED[doing.field]!) locked.set(column, now?.[column]);
    locks.set(id, locked);
  } else if (doing.kind !== 'detach') locks.delete(id);
  const isFeeds = doing.kind === 'settle' && doing.winner === 'feed';
  if (isFeeds || doing.kind === 'restore' || doing.kind === 'attach') edits.delete(id);
  if (doing.kind === 'detach' && now) own.set(id, bareOf(now));
  if (doing.kind === 'attach') own.delete(id);
  if (doing.kind === 'dismiss') off.add(id);
  if (doing.kind === 'restore') off.delete(id);
}
