import { lastSentValues } from '../compare/last-sent.ts';
import { isEditedByPerson, replaced } from '../compare/seen.ts';
import type { Links } from '../links/links.ts';
import { HIDDEN_BY_TRASH, isFieldName, isLinked, type FieldName } from '../model/fields.ts';
import type {
  FieldState,
  Json,
  LedgerChange,
  LedgerEntry,
  RemoveEvent,
  SiteEvent,
  UpdateEvent,
} from '../model/plan.ts';
import { tagsInState, titleInState } from '../model/state-tags.ts';
import { ownTitle, tagsWithState, withStateTagDue } from './state-marks.ts';

type Removal = RemoveEvent['how'];

/** An event to be removed from the site, and what is known about it. */
export interface RemovalInput {
  readonly entry: LedgerEntry;
  readonly onSite: SiteEvent;
  readonly links: Links;
  /** The reason in words. */
  readonly because: string;
}

/**
 * Removes an event from the site; returns the action and the resulting ledger entry. `language` is that of the prefix
 * for a cancelled title.
 */
export function removeEvent(
  removing: RemovalInput,
  how: Removal,
  language: string,
): { readonly action: RemoveEvent; readonly change: LedgerChange } {
  const { entry, onSite } = removing;
  const sent = FIELDS_SENT[how](removing, language);
  const left = fieldsWhenRemoved(entry, onSite, how);
  const fields = how === 'cancel' ? withStateTagDue(left, sent['tags'] === undefined) : left;
  return {
    action: removalOf(removing, how, sent),
    change: {
      entry: { ...entry, id: onSite.id, state: 'removed', fields },
      pendingFields: Object.keys(sent).filter(isFieldName),
    },
  };
}

/**
 * Writes the tag of an event that was marked as cancelled while a password hid its tags; null if no tag is due, or the
 * event's other tags are still unknown.
 */
export function lateTag(
  removing: RemovalInput,
): { readonly action: UpdateEvent; readonly change: LedgerChange } | null {
  const { entry, onSite, links, because } = removing;
  const tags = tagsWithState(removing, 'cancelled');
  if (!entry.fields.tags?.stateTagDue || tags === undefined) return null;
  const from = links.refsOfIds('tags', onSite.values.tags);
  const { slug, title } = entry;
  return {
    action: {
      kind: 'update',
      resource: 'events',
      slug,
      id: onSite.id,
      siteSlug: onSite.slug,
      title,
      fields: { tags },
      changes: { tags: { from, to: tags } },
      because,
    },
    change: {
      entry: { ...entry, id: onSite.id, fields: withStateTagDue(entry.fields, false) },
      pendingFields: ['tags'],
    },
  };
}

/** Trashes an event; the caller decides what happens to its ledger entry. */
export const trashEvent = (removing: RemovalInput): RemoveEvent => removalOf(removing, 'trash', {});

/** Trashes an event that is not in the ledger; its links are not kept for an undo. */
export const trashStranger = (onSite: SiteEvent, because: string): RemoveEvent =>
  removalOf({ onSite, because }, 'trash', {});

function removalOf(
  { entry, onSite, links, because }: Pick<RemovalInput, 'onSite' | 'because'> & Partial<RemovalInput>,
  how: Removal,
  fields: RemoveEvent['fields'],
): RemoveEvent {
  return {
    kind: 'remove',
    resource: 'events',
    slug: entry?.slug ?? onSite.slug,
    id: onSite.id,
    siteSlug: onSite.slug,
    title: entry?.title ?? String(onSite.values.title ?? onSite.slug),
    how,
    fields,
    before: links ? valuesShown(onSite, links) : unlinked(onSite),
    ...lastSentValues(Object.keys(onSite.values), entry, onSite),
    because,
  };
}

/** The values of an event on the site, with terms and linked posts as refs. */
export const valuesShown = ({ values }: SiteEvent, links: Links): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, isLinked(field) ? links.refsOfIds(field, value) : value]),
  );

const unlinked = ({ values }: SiteEvent): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !isLinked(field)));

const FIELDS_SENT: Readonly<Record<Removal, (removing: RemovalInput, language: string) => RemoveEvent['fields']>> = {
  trash: () => ({}),
  draft: () => ({ status: 'draft' }),
  cancel: cancelledFields,
};

function cancelledFields(removing: RemovalInput, language: string): RemoveEvent['fields'] {
  const { entry, onSite } = removing;
  const tags = tagsWithState(removing, 'cancelled');
  return { title: titleInState(ownTitle(entry, onSite), 'cancelled', language), ...(tags ? { tags } : {}) };
}

const WRITTEN_BY: Readonly<Record<Removal, readonly FieldName[]>> = {
  trash: [],
  draft: ['status'],
  cancel: ['title', 'tags'],
};

/** The state of an event's fields when it is removed as the site shows it now. */
export function fieldsWhenRemoved(entry: LedgerEntry, onSite: SiteEvent, how: Removal): LedgerEntry['fields'] {
  const fields = withTheirs({ ...entry.fields, ...HANDLED[how](entry.fields) }, entry, onSite, how);
  return how === 'draft' ? { ...fields, status: { ...(fields.status ?? UNKNOWN), shown: onSite.status } } : fields;
}

/** The state of the fields of an event that a person dismisses: its feed does not bring it back. */
export const fieldsWhenDismissed = (entry: LedgerEntry, onSite: SiteEvent): LedgerEntry['fields'] =>
  withTheirs(entry.fields, entry, onSite, 'trash');

/**
 * Keeps a person's edits of the fields that a removal changes, so that they are still theirs when the event comes back.
 */
function withTheirs(
  fields: LedgerEntry['fields'],
  entry: LedgerEntry,
  onSite: SiteEvent,
  how: Removal,
): LedgerEntry['fields'] {
  const touched: readonly FieldName[] = how === 'trash' ? HIDDEN_BY_TRASH : ['status', ...WRITTEN_BY[how]];
  const theirs = touched.filter((field) => isEditedByPerson(field, entry.fields[field], onSite));
  return {
    ...fields,
    ...Object.fromEntries(
      theirs.map((field): [FieldName, FieldState] => {
        const { shown: _earlier, ...known } = fields[field] ?? UNKNOWN;
        const now = onSite.values[field] ?? null;
        // The status in the trash is known, so what is kept is the one before.
        const kept = how === 'trash' && field === 'status' ? { shown: now } : { returned: now };
        return [field, { ...known, ...kept, by: 'person' }];
      }),
    ),
  };
}

const UNKNOWN: FieldState = { feed: null, by: 'feed' };

/** What a removal records as handled, so that a returning draft counts as a change. */
const HANDLED: Readonly<Record<Removal, (fields: LedgerEntry['fields']) => LedgerEntry['fields']>> = {
  trash: ({ status = UNKNOWN }) => ({ status: { ...status, ...replaced(status, undefined), returned: 'trash' } }),
  draft: () => ({}),
  cancel: ({ tags = UNKNOWN }) => ({ tags: { ...tags, feed: tagsInState(namesIn(tags.feed), 'cancelled') } }),
};

const namesIn = (value: Json): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
