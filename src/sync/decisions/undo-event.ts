import type { Problem } from '../../problem.ts';
import { looksSame } from '../compare/looks-same.ts';
import { lastSentValues } from '../compare/last-sent.ts';
import { seenAs } from '../compare/seen.ts';
import { inState, pinnedEntry } from '../event/life.ts';
import { fieldsWhenRemoved, trashEvent, valuesShown } from '../event/remove-event.ts';
import { siteForm } from '../links/link.ts';
import type { Links } from '../links/links.ts';
import { CUT_BY_TRASH, FIELD_NAMES, isFieldName, isLinked, UNITS, type FieldName } from '../model/fields.ts';
import { isEmpty, sameJson } from '../model/json.ts';
import type {
  CreateEvent,
  EventAction,
  FieldState,
  LedgerChange,
  LedgerEntry,
  Outcome,
  Refs,
  RemoveEvent,
  SentFields,
  SiteEvent,
  UpdateEvent,
} from '../model/plan.ts';
import { untrash } from './untrash.ts';

/** What undoing a run does to one event. */
export interface EventUndo {
  readonly action: EventAction | null;
  readonly change: LedgerChange | null;
  readonly problems: readonly Problem[];
}

/** The current state of an event whose run is being undone. */
export interface UndoneEvent {
  readonly entry: LedgerEntry;
  readonly onSite: SiteEvent | undefined;
  readonly links: Links;
  /** The ids of the refs in the run's actions. */
  readonly refs: Refs;
  /** What the run did to it, and what the site returned. */
  readonly action: EventAction;
  readonly returned: Extract<Outcome, { kind: 'done' }>['values'];
  readonly because: string;
}

const NOTHING: EventUndo = { action: null, change: null, problems: [] };

/** Leaves an event alone and reports why. */
export const leaveAlone = ({ title, slug }: EventAction, why: string): EventUndo => ({
  ...NOTHING,
  problems: [{ code: 'changed-since', message: `"${title}" ${why}: it is left unchanged.`, where: { slug } }],
});

/** Trashes an event that the run created or brought back, unless it has been edited since. */
export function undoCreation(undone: UndoneEvent, state: 'ignored' | 'removed'): EventUndo {
  const { entry, onSite, links, action, because } = undone;
  if (!onSite || onSite.status === 'trash') return NOTHING;
  if (isEdited(undone, onSite)) return leaveAlone(action, 'was edited since');
  const fields = state === 'removed' ? fieldsWhenRemoved(entry, onSite, 'trash') : entry.fields;
  return {
    action: trashEvent({ entry, onSite, links, because }),
    change: { entry: { ...inState(entry, state), id: onSite.id, fields }, pendingFields: [] },
    problems: [],
  };
}

/** Whether an event has been edited since the run: it shows neither the run's values nor those of our later writes. */
const isEdited = ({ entry: { fields }, returned }: UndoneEvent, onSite: SiteEvent): boolean =>
  FIELD_NAMES.some((field) => seenAs(field, fields[field], onSite) === 'other' && !isAsLeft(field, returned, onSite));

/** Whether the site still shows the value that the run wrote to a field. */
const isAsLeft = (field: FieldName, returned: UndoneEvent['returned'], onSite: SiteEvent): boolean =>
  ['hidden', 'as-returned'].includes(seenAs(field, { returned: returned[field] ?? null }, onSite));

/** Restores an event that the run trashed, or creates it again if the trash no longer has it. */
export function undoRemoval(undone: UndoneEvent, { before: shown, wrote }: RemoveEvent): EventUndo {
  const { entry, onSite } = undone;
  if (onSite && onSite.status !== 'trash') return NOTHING;
  // An event that we removed is missing from the feed and must be pinned, or it would count as gone again; one that an
  // undo removed is still in the feed.
  const back: LedgerEntry = entry.state === 'removed' ? pinnedEntry(entry) : inState(entry, 'kept');
  return onSite
    ? outOfTrash(undone, onSite, translated(undone, shown), back)
    : madeAgain(undone, translated(undone, { ...shown, ...wrote }), back);
}

function outOfTrash(
  { entry, links, because }: UndoneEvent,
  onSite: SiteEvent,
  before: SentFields,
  back: LedgerEntry,
): EventUndo {
  const shown = valuesShown(onSite, links);
  const { action, pendingFields } = untrash({
    entry,
    onSite,
    status: before['status'] ?? 'publish',
    cut: CUT_BY_TRASH.flatMap((field) => {
      const to = before[field];
      return isEmpty(to) || sameJson(to, shown[field]) ? [] : [{ field, from: shown[field] ?? null, to }];
    }),
    because,
  });
  return {
    action,
    change: {
      entry: { ...back, id: onSite.id, fields: byPerson(entry, ['status']) },
      pendingFields,
    },
    problems: [],
  };
}

function madeAgain({ entry, because }: UndoneEvent, before: SentFields, back: LedgerEntry): EventUndo {
  const fields = FIELD_NAMES.flatMap((field) => {
    const value = before[field];
    return isEmpty(value) ? [] : [[field, value] as const];
  });
  const action: CreateEvent = {
    kind: 'create',
    resource: 'events',
    slug: entry.slug,
    title: entry.title,
    fields: { ...Object.fromEntries(fields), slug: entry.slug },
    because,
  };
  return {
    action,
    change: { entry: { ...back, id: null, fields: byPerson(entry, FIELD_NAMES) }, pendingFields: FIELD_NAMES },
    problems: [],
  };
}

/** Restores the earlier values of fields that still show what the run wrote; `back` is the entry to start from. */
export function undoUpdate(undone: UndoneEvent, before: SentFields, back: LedgerEntry): EventUndo {
  const { entry, onSite, links, action, returned, because } = undone;
  if (!onSite || onSite.status === 'trash') return leaveAlone(action, 'is not on the site any more');
  const shown = valuesShown(onSite, links);
  const wanted = translated(undone, before);
  const isSilent = (field: FieldName): boolean => (before[field] ?? null) === null;
  const touched = UNITS.filter((unit) => !unit.every(isSilent));
  const open = touched.filter((unit) => unit.every((field) => isSilent(field) || isAsLeft(field, returned, onSite)));
  const isBack = (field: FieldName): boolean =>
    isSilent(field) || looksSame(field, wanted[field] ?? null, shown[field] ?? null);
  const changed = touched.filter((unit) => !open.includes(unit) && !unit.every(isBack));
  const names = changed.map(([field]) => field).join(', ');
  const { problems: edits } = names === '' ? NOTHING : leaveAlone(action, `was changed since in ${names}`);
  const problems = [...edits, ...hiddenBefore(undone, onSite, before)];
  // A unit is sent whole: its fields that the run did not change are sent as the site shows them.
  const sent = Object.fromEntries(
    open.flat().flatMap((field) => {
      const value = isSilent(field) ? shown[field] : wanted[field];
      return value === undefined || value === null ? [] : [[field, value] as const];
    }),
  );
  const fields = Object.keys(sent).filter(isFieldName);
  const changes = fields
    .filter((field) => !looksSame(field, sent[field], shown[field]))
    .map((field) => [field, { from: shown[field] ?? null, to: sent[field] ?? null }] as const);
  if (changes.length === 0) return { ...NOTHING, problems };
  const update: UpdateEvent = {
    kind: 'update',
    resource: 'events',
    slug: entry.slug,
    id: onSite.id,
    siteSlug: onSite.slug,
    title: entry.title,
    fields: sent,
    changes: Object.fromEntries(changes),
    ...lastSentValues(
      changes.map(([field]) => field),
      entry,
      onSite,
    ),
    because,
  };
  return {
    action: update,
    change: { entry: { ...back, id: onSite.id, fields: byPerson(entry, fields) }, pendingFields: fields },
    problems,
  };
}

/**
 * Reports values that the site did not show when the run replaced them: they are unknown and cannot be restored. Values
 * that somebody has replaced since are not reported.
 */
function hiddenBefore({ action, returned }: UndoneEvent, onSite: SiteEvent, before: SentFields): readonly Problem[] {
  const { title, slug } = action;
  const isReplaced = (field: FieldName): boolean => returned[field] !== undefined && !isAsLeft(field, returned, onSite);
  const fields = FIELD_NAMES.filter((field) => before[field] === null && !isReplaced(field));
  if (fields.length === 0) return [];
  const message =
    `"${title}" cannot get back its former ${fields.join(', ')}: the site did not show that to the run, as ` +
    'it does while a password protects an event. Choose it yourself.';
  return [{ code: 'values-hidden', message, where: { slug } }];
}

/** Translates refs of the earlier run into refs of this plan by id, because a name may now belong to something else. */
function translated({ refs, links }: UndoneEvent, values: SentFields): SentFields {
  const idOf = (ref: string): number | undefined => refs[ref];
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      isLinked(field) ? links.refsOfIds(field, siteForm(field, value, idOf)) : value,
    ]),
  );
}

const byPerson = ({ fields }: LedgerEntry, names: readonly FieldName[]): LedgerEntry['fields'] => ({
  ...fields,
  ...Object.fromEntries(
    names.map((field): [FieldName, FieldState] => [field, { feed: null, ...fields[field], by: 'person' }]),
  ),
});
