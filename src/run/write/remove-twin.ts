import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { keyOfSlug } from '../../sync/model/slug.ts';
import { siteEventOf } from '../../sync/compare/site-values.ts';
import type { CreateEvent, Outcome } from '../../sync/model/plan.ts';
import { problemWith } from './outcome-of.ts';

type Made = Extract<Outcome, { kind: 'done' }>;

/**
 * A create whose slug the site has changed (`-2`) met an event of ours that no list shows: hidden ones, when the ledger was lost. The new
 * one is taken away again, and the old one goes on; the next run compares what it shows.
 */
export async function withoutTwin(client: SiteClient, action: CreateEvent, made: Made): Promise<Outcome> {
  if (made.slug === action.slug || keyOfSlug(made.slug) !== keyOfSlug(action.slug)) return made;
  const first = await client.read('events', { slug: action.slug });
  return first && first.id !== made.id ? removeTwin(client, action, first, made.id) : made;
}

/** An event that was found by its slug when its create was to be repeated: it may be older, so that the next run compares it. A second one that an attempt before has made beside it is taken away. */
export async function foundAgain(client: SiteClient, action: CreateEvent, found: Event): Promise<Outcome> {
  const twin = await client.read('events', { slug: `${action.slug}-2` });
  return twin && twin.id !== found.id ? removeTwin(client, action, found, twin.id) : foundOutcome(found);
}

async function removeTwin(client: SiteClient, action: CreateEvent, first: Event, twin: number): Promise<Outcome> {
  const [answer] = await client.write([{ method: 'DELETE', path: `/events/${twin}` }]);
  const isGone = answer?.kind === 'answered' && (answer.status < 300 || answer.status === 404 || answer.status === 410);
  return isGone
    ? { ...foundOutcome(first), older: true }
    : {
        kind: 'failed',
        problem: problemWith(
          action,
          'made-twice',
          `The site had it already, where no list shows it. The second one, ${twin}, could not be taken away yet.`,
        ),
      };
}

function foundOutcome(event: Event): Made {
  const { id, slug, values } = siteEventOf(event);
  return { kind: 'done', id, slug, values, found: true };
}
