import { dayAfter, instantFromWall } from '../../../src/time.ts';
import { collated, postsOf, termsOf, type EventPost } from './store.ts';
import { invalid, listOf, type Asking, type Params, type Reply } from './reply.ts';
import { pageOf } from './page-of.ts';
import { mayEditEvents } from './rights.ts';
import { eventRecord } from './event-record.ts';
import { siteWall, type Site } from './site.ts';
import { wallOf } from './wall.ts';

/** GET /events: has a default window, never lists hidden events, and is a 404 past the end. */
export function listEvents(site: Site, { params, role }: Asking): Reply {
  const { status } = params;
  const isEditor = mayEditEvents(role);
  if (!isEditor && status !== undefined && status !== 'publish') throw invalid('status');
  const statuses = status === undefined ? (isEditor ? undefined : ['publish']) : listOf(status).map(String);
  const include = params['include'] === undefined ? undefined : listOf(params['include']).map(Number);
  if (include?.some((id) => Number.isNaN(id))) throw invalid('include');
  const isWanted = [
    windowOf(site, params),
    linked(site, params, 'venue'),
    linked(site, params, 'organizer'),
    termed(site, params, 'categories'),
    termed(site, params, 'tags'),
    searched(params),
  ];
  const events = postsOf(site.store, 'events').filter(
    (event) =>
      !event.hide_from_listings &&
      (statuses ? statuses.includes(event.status) : event.status !== 'trash') &&
      (include === undefined || include.includes(event.id)) &&
      isWanted.every((test) => test(event)),
  );
  events.sort(
    (one, other) => one.start.localeCompare(other.start) || (one.date ?? 0) - (other.date ?? 0) || one.id - other.id,
  );
  return pageOf('events', events, params, `${site.root}/${site.namespace}`, site.perPageCap, (event) =>
    eventRecord(site, event),
  );
}

type Test = (event: EventPost) => boolean;

// Compares days as written. A default applies only if no parameter of its kind is present; `include` does not lift it.
function windowOf(site: Site, params: Params): Test {
  const day = (name: string): string | undefined => {
    if (params[name] === undefined) return undefined;
    const wall = wallOf(String(params[name]));
    if (wall === undefined) throw invalid(name);
    return wall.slice(0, 10);
  };
  const [from, to, startsBefore, startsAfter, endsBefore, endsAfter] = [
    'start_date',
    'end_date',
    'starts_before',
    'starts_after',
    'ends_before',
    'ends_after',
  ].map(day);
  const isOpen = [startsBefore, startsAfter, endsBefore, endsAfter].some((each) => each !== undefined);
  const today = siteWall(site, site.now()).slice(0, 10);
  // Yesterday 23:59 UTC in the site's zone: today east of Greenwich, yesterday elsewhere.
  const first =
    from ??
    (isOpen ? undefined : siteWall(site, instantFromWall(`${dayAfter(today, -1)} 23:59:00`, 'UTC')).slice(0, 10));
  const last = to ?? (isOpen ? undefined : `${Number(today.slice(0, 4)) + 2}${today.slice(4)}`);
  return ({ start, end }) =>
    (first === undefined || start >= `${first} 00:00:00`) &&
    (last === undefined || end <= `${last} 23:59:59`) &&
    (startsBefore === undefined || start < `${startsBefore} 23:59:59`) &&
    (startsAfter === undefined || start > `${startsAfter} 23:59:59`) &&
    (endsBefore === undefined || end < `${endsBefore} 23:59:59`) &&
    (endsAfter === undefined || end > `${endsAfter} 23:59:59`);
}

function linked(site: Site, params: Params, name: 'venue' | 'organizer'): Test {
  if (params[name] === undefined) return () => true;
  const ids = listOf(params[name]).map(Number);
  if (ids.some((id) => site.store.posts.get(id)?.type !== `${name}s`)) throw invalid(name);
  return (event) => ids.some((id) => event.venue === id || event.organizer.includes(id));
}

function termed(site: Site, params: Params, name: 'categories' | 'tags'): Test {
  if (params[name] === undefined) return () => true;
  // A slug takes precedence over an id.
  const ids = listOf(params[name]).map(
    (key) =>
      (
        termsOf(site.store, name).find(({ slug }) => slug === String(key)) ??
        termsOf(site.store, name).find(({ id }) => id === Number(key))
      )?.id,
  );
  if (ids.includes(undefined)) throw invalid(name);
  return (event) => ids.some((id) => event[name].includes(id!));
}

function searched(params: Params): Test {
  const words = collated(String(params['search'] ?? '')).split(/\s+/);
  return (event) =>
    words.every((word) => collated(`${event.title} ${event.excerpt} ${event.description}`).includes(word));
}
