import type { SiteClient } from '../../client/site-client.ts';
import { siteTermOf } from '../../sync/compare/site-values.ts';
import type { Action, CreateEvent, Outcome } from '../../sync/model/plan.ts';
import { errorIfForbidden } from '../site/event-reads.ts';
import { problemWith } from './outcome-of.ts';
import type { Batch } from '../state/records.ts';
import { foundAgain } from './remove-twin.ts';

/**
 * The outcomes of a batch after an attempt whose answers may have been lost: a create that did reach the site is found
 * by its slug (events) or name (terms). Updates and removals are simply repeated.
 */
export async function findWritten(client: SiteClient, batch: Batch): Promise<readonly (Outcome | null)[]> {
  const outcomes: (Outcome | null)[] = [];
  for (const [index, { action }] of batch.items.entries()) {
    const known = batch.outcomes[index] ?? null;
    outcomes.push(known !== null && known.kind !== 'failed' ? known : await findOne(client, action));
  }
  return outcomes;
}

async function findOne(client: SiteClient, action: Action): Promise<Outcome | null> {
  if (action.kind !== 'create') return null;
  // Whether an attempt before has made it, the next run asks again; until then it is not made a second time.
  if (action.resource === 'events')
    return findEvent(client, action).catch((error: unknown) => ({
      kind: 'refused',
      problem: problemWith(action, 'event-unread', errorIfForbidden(error).message),
    }));
  const named = await findNamed(client, action);
  return named ? { kind: 'done', ...named, values: {} } : null;
}

async function findEvent(client: SiteClient, action: CreateEvent): Promise<Outcome | null> {
  const event = await client.read('events', { slug: action.slug });
  return event && foundAgain(client, action, event);
}

async function findNamed(
  client: SiteClient,
  action: Extract<Action, { ref: string }>,
): Promise<{ id: number; slug: string } | undefined> {
  // Venues and organizers are looked for at every attempt (find-linked.ts).
  if (action.resource !== 'categories' && action.resource !== 'tags') return undefined;
  return first(
    client.list(action.resource, { search: action.fields.name, hide_empty: 'false', per_page: '50' }),
    (item) => siteTermOf(item),
    (term) => term.name === action.fields.name,
  );
}

async function first<T, U extends { id: number; slug: string }>(
  items: AsyncIterable<T>,
  convert: (item: T) => U,
  fits: (item: U) => boolean,
): Promise<{ id: number; slug: string } | undefined> {
  for await (const item of items) {
    const converted = convert(item);
    if (fits(converted)) return { id: converted.id, slug: converted.slug };
  }
  return undefined;
}
