import { isGone } from '../../client/questions.ts';
import type { SiteClient, WriteAnswer } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { siteEventOf, siteTermOf } from '../../sync/compare/site-values.ts';
import type { Action, CreateEvent, Outcome } from '../../sync/model/plan.ts';
import { keyOfSlug } from '../../sync/model/slug.ts';
import { errorIfForbidden } from '../site/event-reads.ts';
import { readTwin } from '../site/read-twin.ts';
import { problemWith } from './outcome-of.ts';

type Made = Extract<Outcome, { kind: 'done' }>;

/** A site, and a callback for each write to it that is not in the plan. */
export interface WriteTarget {
  readonly client: SiteClient;
  readonly onWrite: () => void;
}

/**
 * The outcome of an action whose answer may have been lost: a create that reached the site is found by its slug
 * (events) or name (terms). Null if that is still open; updates and removals are simply repeated. What is unanswered
 * when the run ends is asked about by the next one (`site/ask-about-lost-answers.ts`).
 */
export async function resolveOpen(resolving: WriteTarget, action: Action): Promise<Outcome | null> {
  if (action.kind !== 'create') return null;
  // If it cannot be read, an earlier attempt may have created it, so it is not created again; the next run asks about
  // it.
  if (action.resource === 'events')
    return findEvent(resolving, action).catch((error: unknown) => ({
      kind: 'refused',
      problem: problemWith(action, 'event-unread', errorIfForbidden(error).message),
    }));
  // Venues and organizers are looked up at every attempt (find-linked.ts).
  return action.resource === 'categories' || action.resource === 'tags' ? findTerm(resolving, action) : null;
}

/**
 * If the site has changed the slug of a created event (`-2`), an event of ours exists already that is in no list, such
 * as a hidden one after the ledger was lost. The new event is removed again and the old one kept; the next run compares
 * it.
 */
export async function withoutTwin(resolving: WriteTarget, action: CreateEvent, made: Made): Promise<Outcome> {
  if (made.slug === action.slug || keyOfSlug(made.slug) !== keyOfSlug(action.slug)) return made;
  const first = await resolving.client.read('events', { slug: action.slug });
  return first && first.id !== made.id ? removeTwin(resolving, action, first, made.id) : made;
}

/**
 * Moves a new event whose address the site made up to the trash, by the id in the site's answer, since it could not be
 * found again by its key.
 */
export async function withoutStray(
  { client, onWrite }: WriteTarget,
  action: CreateEvent,
  made: Made,
): Promise<Outcome> {
  if (!made.differs?.slug || made.slug === '') return made;
  onWrite();
  const isTakenBack = isAway((await client.write([{ method: 'DELETE', path: `/events/${made.id}` }]))[0]);
  const problem = problemWith(action, SLUG_NOT_KEPT, slugNotKept(made, isTakenBack));
  return { ...made, problem, ...(isTakenBack ? { takenBack: true } : {}) };
}

/** The site does not keep the slugs that it is sent. */
export const SLUG_NOT_KEPT = 'slug-not-kept';

const slugNotKept = ({ slug, id }: Made, isTakenBack: boolean): string =>
  `The site made it under the address "${slug}", so the run has stopped here. ` +
  (isTakenBack
    ? 'It is in the trash again. '
    : `It could not be taken back: move the event with the id ${id} to the trash yourself. `) +
  'Something on the site, such as a plugin, gives events other addresses: find out what. Until then nothing new is ' +
  'created; "sync" with "--full" tries it again.';

/**
 * The event found by its slug may be older, so the next run compares it. A duplicate that an earlier attempt created
 * beside it is removed.
 */
async function findEvent(resolving: WriteTarget, action: CreateEvent): Promise<Outcome | null> {
  const found = await resolving.client.read('events', { slug: action.slug });
  if (!found) return null;
  const twin = await readTwin(resolving.client, action.slug, found.id);
  return twin ? removeTwin(resolving, action, found, twin.id) : lookedUpOutcome(found);
}

/** Moves a duplicate to the trash before anybody sees it. Like that of a stray event, this write is not in the plan. */
async function removeTwin(
  { client, onWrite }: WriteTarget,
  action: CreateEvent,
  first: Event,
  twin: number,
): Promise<Outcome> {
  onWrite();
  const [answer] = await client.write([{ method: 'DELETE', path: `/events/${twin}` }]);
  return isAway(answer)
    ? { ...lookedUpOutcome(first), older: true }
    : {
        kind: 'failed',
        problem: problemWith(
          action,
          'made-twice',
          `The site had it already, where no list shows it. The second one, ${twin}, could not be taken away yet.`,
        ),
      };
}

const isAway = (answer: WriteAnswer | undefined): boolean =>
  answer?.kind === 'answered' && (answer.status < 300 || isGone(answer.status, answer.body));

function lookedUpOutcome(event: Event): Made {
  const { id, slug, values } = siteEventOf(event);
  return { kind: 'done', id, slug, values, lookedUp: true };
}

async function findTerm(
  { client }: WriteTarget,
  { resource, fields: { name } }: Extract<Action, { resource: 'categories' | 'tags' }>,
): Promise<Outcome | null> {
  for await (const item of client.list(resource, { search: name, hide_empty: 'false' })) {
    const term = siteTermOf(item);
    if (term.name === name) return { kind: 'done', id: term.id, slug: term.slug, values: {} };
  }
  return null;
}
