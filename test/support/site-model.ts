import { isFieldName, isLinked, isShownProtected, type FieldName } from '../../src/sync/model/fields.ts';
import { beforeWrites, type Recognised } from '../../src/sync/event/before-writes.ts';
import { ledgerAfter } from '../../src/sync/event/ledger-after.ts';
import type { Action, Json, LedgerEntry, Outcome, Plan, Refs, SiteEvent, Snapshot } from '../../src/sync/model/plan.ts';
import { sameJson } from '../../src/sync/model/json.ts';
import { keepDigestIfSettled, unsettled } from '../../src/sync/model/settled.ts';
import { slugOfName } from '../../src/sync/model/slug.ts';
import { toBatches } from '../../src/sync/model/to-batches.ts';
import { wallFromInstant } from '../../src/time.ts';

type Values = Partial<Record<FieldName, Json>>;
interface Post {
  readonly id: number;
  slug: string;
  status: string;
  values: Values;
  modified: string;
  isProtected?: boolean;
}

const EMPTY: Values = {
  description: '',
  excerpt: '',
  website: '',
  image: '',
  cost: '',
  featured: false,
  categories: [],
  tags: [],
  venue: [],
  organizer: [],
};

/**
 * A site in memory: it carries out actions as the interface promises, renders titles as real sites do, and stores what
 * it is given.
 */
export class SiteModel {
  #nextId = 100;
  #seconds = 0;
  events: Post[] = [];
  readonly categories: { id: number; slug: string; name: string }[] = [];
  readonly tags: { id: number; slug: string; name: string }[] = [];
  readonly venues: { id: number; slug: string; venue: string; city?: string; address?: string }[] = [];
  readonly organizers: { id: number; slug: string; organizer: string }[] = [];
  writes = 0;

  snapshot(): Snapshot {
    const events = new Map(
      this.events.map((post): [string, SiteEvent] => [post.slug, { ...post, values: shownOf(post) }]),
    );
    return {
      events,
      categories: [...this.categories],
      tags: [...this.tags],
      venues: [...this.venues],
      organizers: [...this.organizers],
    };
  }

  perform(action: Action, refs: Refs): Outcome {
    this.writes += 1;
    if (action.kind === 'remove' && action.how === 'trash')
      return this.#save(this.#byId(action.id), { status: 'trash' });
    if (action.resource === 'events')
      return this.#save(
        action.kind === 'create' ? this.#newEvent(action.slug) : this.#byId(action.id),
        withIds(action.fields, refs),
      );
    const id = this.#nextId++;
    if (action.resource === 'venues') this.venues.push({ id, slug: slugOfName(action.fields.venue), ...action.fields });
    else if (action.resource === 'organizers')
      this.organizers.push({ id, slug: slugOfName(action.fields.organizer), ...action.fields });
    else this[action.resource].push({ id, slug: slugOfName(action.fields.name), name: action.fields.name });
    return { kind: 'done', id, slug: '', values: {} };
  }

  /** An edit by a person. */
  edit(slug: string, values: Values): void {
    const post = this.events.find((each) => each.slug === slug);
    if (!post) throw new Error(`no event ${slug}`);
    this.#save(post, values);
  }

  /** Sets or removes an event's password. */
  protect(slug: string, isProtected: boolean): void {
    const post = this.events.find((each) => each.slug === slug);
    if (!post) throw new Error(`no event ${slug}`);
    post.isProtected = isProtected;
  }

  /** A copy of the current events for `restore`. */
  backup(): readonly Post[] {
    return structuredClone(this.events);
  }
  restore(events: readonly Post[]): void {
    this.events = structuredClone([...events]);
  }

  #byId(id: number): Post {
    const post = this.events.find((each) => each.id === id);
    if (!post) throw new Error(`no event ${id}`);
    return post;
  }

  #newEvent(slug: string): Post {
    if (this.events.some((each) => each.slug === slug)) throw new Error(`the slug ${slug} is taken`);
    const post = { id: this.#nextId++, slug, status: 'publish', values: { ...EMPTY }, modified: '' };
    this.events.push(post);
    return post;
  }

  #save(post: Post, { status, ...values }: Values): Outcome {
    post.modified = wallFromInstant((this.#seconds += 1000), 'UTC');
    post.status = typeof status === 'string' ? status : post.status;
    post.values = { ...post.values, ...values };
    if (typeof values.title === 'string') post.values.title = values.title.replace(/"([^"]*)"/g, '“$1”');
    return {
      kind: 'done',
      id: post.id,
      slug: post.slug,
      values: { ...post.values, status: post.status },
      modified: post.modified,
    };
  }
}

const shownOf = ({ values, status, isProtected }: Post): Values =>
  Object.fromEntries(
    Object.entries({ ...values, status }).filter(
      ([name]) => !isProtected || (isFieldName(name) && isShownProtected(name)),
    ),
  );

function withIds({ slug: _slug, ...fields }: Readonly<Record<string, Json>>, refs: Refs): Values {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isLinked(name) && Array.isArray(value)
        ? value.map((ref) => idOf(String(ref), refs)).sort((one, other) => one - other)
        : value,
    ]),
  );
}

function idOf(ref: string, refs: Refs): number {
  const id = refs[ref];
  if (id === undefined) throw new Error(`no id for ${ref}`);
  return id;
}

/**
 * Updates the identity of a ledger entry. If it changes, the next run compares the event even if the feed is the same.
 */
export function recognisedAs(entry: LedgerEntry, { heldMissing = 0, ...by }: Recognised): LedgerEntry {
  const { heldMissing: _held, said: _said, ...known } = entry;
  const after = { ...known, ...by, ...(heldMissing > 0 ? { heldMissing } : {}) };
  return sameJson(after, entry) ? entry : unsettled(after);
}

/** Updates the ledger as a run does before its first write. */
export function storeBeforeWrites(plan: Pick<Plan, 'actions' | 'ledger'>, ledger: Map<string, LedgerEntry>): void {
  const { entries, recognised } = beforeWrites(plan);
  for (const entry of entries) ledger.set(entry.slug, keepDigestIfSettled(entry));
  for (const by of recognised) {
    const known = ledger.get(by.slug);
    if (known) ledger.set(by.slug, recognisedAs(known, by));
  }
}

/**
 * Carries out a plan, or only its first `writes` actions. The ledger is updated as if only the first `answers` of the
 * site's answers had arrived.
 */
export function applyPlan(
  site: SiteModel,
  plan: Plan,
  ledger: Map<string, LedgerEntry>,
  writes = Number.POSITIVE_INFINITY,
  answers = writes,
): void {
  storeBeforeWrites(plan, ledger);
  const refs: Record<string, number> = { ...plan.refs };
  let left = writes;
  let heard = answers;
  for (const action of toBatches(plan.actions).flatMap(({ actions }) => actions)) {
    if (left-- <= 0) return;
    const outcome = site.perform(action, refs);
    if ('ref' in action && outcome.kind === 'done') refs[action.ref] = outcome.id;
    const change = 'slug' in action ? plan.ledger[action.slug] : undefined;
    const entry = change ? ledgerAfter(change, action, outcome) : null;
    if (entry && heard-- > 0) ledger.set(entry.slug, entry);
  }
}
