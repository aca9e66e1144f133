import type { Problem } from '../../problem.ts';
import { holdReason } from '../plan/guards.ts';
import { refsIn, refsReplaced, siteForm } from '../links/link.ts';
import { lostFields, lostLinks, withoutLost } from './lost-links.ts';
import { linksFor, type Links } from '../links/links.ts';
import { looksSame } from '../compare/looks-same.ts';
import { CUT_BY_TRASH, FIELD_NAMES, isLinked, UNITS } from '../model/fields.ts';
import { authorityOf } from '../event/merge.ts';
import { pinnedEntry } from '../event/life.ts';
import { fieldsWhenRemoved, trashEvent, valuesShown } from '../event/remove-event.ts';
import type {
  Action,
  EventAction,
  FieldName,
  FieldState,
  Json,
  LedgerChange,
  LedgerEntry,
  Outcome,
  Plan,
  Policy,
  Refs,
  SiteEvent,
  Snapshot,
} from '../model/plan.ts';
import { isEmpty, sameJson, withoutNames } from '../model/json.ts';
import { valuesBefore } from '../model/values-before.ts';
import { seenAs } from '../compare/seen.ts';
import { lastSentValues } from '../compare/last-sent.ts';

type Done = Extract<Outcome, { kind: 'done' }>;
type Values = Readonly<Partial<Record<FieldName, Json>>>;

/** A run that is to be taken back, and what has become of its events. */
export interface Undoing {
  readonly run: string;
  /** What the run did, in its order. */
  readonly done: readonly { readonly action: Action; readonly outcome: Outcome | null }[];
  /** The ids behind the refs in its actions. */
  readonly refs: Refs;
  /** Those of which the ids are something else by now. */
  readonly movedRefs: ReadonlySet<string>;
  readonly snapshot: Snapshot;
  readonly onSite: (slug: string) => SiteEvent | undefined;
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  readonly policy: Policy;
}

interface Step {
  readonly action: Action | null;
  readonly change: LedgerChange | null;
  readonly problem: Problem | null;
}

/**
 * The way back from a run: its creates go to the trash, its updates get the values from before, its removals come back. What has changed since
 * is left and named. Restored values count as a person's, so that the next run leaves them. The same guards apply as on the way there.
 */
export function planUndo(undoing: Undoing): Plan {
  const links = linksFor([], undoing.snapshot, undoing.policy);
  const steps = undoing.done
    .toReversed()
    .flatMap(({ action, outcome }) =>
      action.resource === 'events' && outcome?.kind === 'done' ? [wayBack(undoing, links, action, outcome)] : [],
    );
  const actions = steps.flatMap(({ action }) => action ?? []);
  const refs = Object.fromEntries(
    actions
      .flatMap((action) => [...refsIn(action), ...refsReplaced(action)])
      .flatMap((ref) => {
        const id = links.idOf(ref);
        return id === null ? [] : [[ref, id]];
      }),
  );
  const problems = steps.flatMap(({ problem }) => problem ?? []);
  return {
    actions,
    refs,
    ledger: Object.fromEntries(steps.flatMap(({ change }) => (change ? [[change.entry.slug, change]] : []))),
    unchanged: 0,
    skipped: problems.length,
    conflicts: [],
    problems: [...problems, ...writtenAgain(steps, undoing.policy)],
    held: holdReason({ actions, ledger: undoing.ledger, policy: undoing.policy, lost: 0, empty: false }),
  };
}

/** Values that are restored where the feed decides do not last: said now, not when they are gone. */
function writtenAgain(steps: readonly Step[], policy: Policy): readonly Problem[] {
  const fields = [
    ...new Set(
      steps
        .flatMap(({ action, change }) => (action?.kind === 'update' ? (change?.awaits ?? []) : []))
        .filter((field) => field !== 'status' && authorityOf(policy, [field]) === 'feed'),
    ),
  ];
  return fields.length === 0
    ? []
    : [
        {
          code: 'feed-decides',
          where: {},
          message: `The feed decides about ${fields.join(', ')} here (authority: feed): the next run that compares them writes the feed's values again. With authority: preserve the restored ones stay.`,
        },
      ];
}

function wayBack(undoing: Undoing, links: Links, action: EventAction, outcome: Done): Step {
  const lost = lostFields(action, undoing.movedRefs);
  const step = stepBack(undoing, links, withoutLost(action, lost), outcome);
  return step.action && lost.length > 0 ? { ...step, problem: lostLinks(action, lost) } : step;
}

function stepBack(undoing: Undoing, links: Links, action: EventAction, outcome: Done): Step {
  const entry = undoing.ledger.get(action.slug);
  if (!entry) return left(action, 'is no longer in our ledger');
  const now: Now = { entry, onSite: undoing.onSite(action.slug), links, action, because: `undo of ${undoing.run}` };
  if (action.kind === 'create')
    return outcome.older
      ? left(action, 'was on the site before that run, where no list showed it')
      : takenAway(now, outcome, 'ignored');
  if (action.kind === 'update') {
    const isRevival = action.changes['status']?.from === 'trash';
    // One that the feed does not have may come back with it; one that it has stays away.
    // What the site took away besides was there before.
    const { status } = outcome.differs ?? {};
    return isRevival
      ? takenAway(now, outcome, entry.pinned ? 'removed' : 'ignored')
      : restored(
          now,
          {
            ...withoutNames({ ...valuesBefore(action), ...action.wrote }, outcome.already),
            ...(status === undefined ? {} : { status }),
          },
          undoing.refs,
          outcome,
          entry,
        );
  }
  if (action.how === 'trash') return broughtBack(now, undoing.refs);
  const before = mapped(action.fields, (_, field) => action.wrote?.[field] ?? action.before[field] ?? null);
  return restored(now, withoutNames(before, outcome.already), undoing.refs, outcome, pinnedEntry(entry));
}

interface Now {
  readonly entry: LedgerEntry;
  readonly onSite: SiteEvent | undefined;
  readonly links: Links;
  readonly action: EventAction;
  readonly because: string;
}

const mapped = <T>(
  values: Readonly<Record<string, T>>,
  value: (of: T, field: string) => Json,
): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(values).map(([field, of]) => [field, value(of, field)]));

/** An event that the run made or brought back goes to the trash, unless somebody has worked on it since. */
function takenAway(
  { entry, onSite, links, action, because }: Now,
  { values: made }: Done,
  state: 'ignored' | 'removed',
): Step {
  if (!onSite || onSite.status === 'trash') return NOTHING;
  if (isEdited(entry, onSite, made)) return left(action, 'was edited since');
  const fields = state === 'removed' ? fieldsWhenRemoved(entry, onSite, 'trash') : entry.fields;
  return {
    action: trashEvent({ entry, onSite, links, because }),
    change: { entry: { ...entry, id: onSite.id, state, fields }, awaits: [] },
    problem: null,
  };
}

/** Somebody has worked on an event since a run that left it as `made`: it shows neither that nor what came of our writes after it. */
const isEdited = ({ fields }: LedgerEntry, onSite: SiteEvent, made: Values): boolean =>
  FIELD_NAMES.some((field) => seenAs(field, fields[field], onSite) === 'other' && !isAsLeft(field, made, onSite));

/** Whether the site shows nothing else of a field than a run has left there. */
const isAsLeft = (field: FieldName, made: Values, onSite: SiteEvent): boolean =>
  ['hidden', 'as-returned'].includes(seenAs(field, { returned: made[field] ?? null }, onSite));

function broughtBack({ entry, onSite, links, action, because }: Now, refs: Refs): Step {
  if (action.kind !== 'remove' || (onSite && onSite.status !== 'trash')) return NOTHING;
  const before = translated({ ...action.before, ...(onSite ? {} : action.wrote) }, refs, links);
  const status = before['status'] ?? 'publish';
  // What the feed lost would be counted as gone again; what an undo took away is still in it.
  const back: LedgerEntry = entry.state === 'removed' ? pinnedEntry(entry) : { ...entry, state: 'kept' };
  if (onSite) {
    // The trash of a real site cuts these links.
    const shown = valuesShown(onSite, links);
    const cut = CUT_BY_TRASH.flatMap((field) => {
      const value = before[field];
      return isEmpty(value) || sameJson(value, shown[field]) ? [] : [[field, value] as const];
    });
    const fields = { status, ...Object.fromEntries(cut) };
    const update: Action = {
      kind: 'update',
      resource: 'events',
      slug: entry.slug,
      id: onSite.id,
      title: entry.title,
      fields,
      changes: Object.fromEntries(
        Object.entries(fields).map(([field, to]) => [
          field,
          { from: field === 'status' ? 'trash' : (shown[field] ?? null), to },
        ]),
      ),
      because,
    };
    return {
      action: update,
      change: {
        entry: { ...back, id: onSite.id, fields: byPerson(entry, ['status']) },
        awaits: ['status', ...cut.map(([field]) => field)],
      },
      problem: null,
    };
  }
  const fields = Object.fromEntries(
    FIELD_NAMES.flatMap((field) => {
      const value = before[field];
      return isEmpty(value) ? [] : [[field, value]];
    }),
  );
  const create: Action = {
    kind: 'create',
    resource: 'events',
    slug: entry.slug,
    title: entry.title,
    fields: { ...fields, slug: entry.slug },
    because,
  };
  return {
    action: create,
    change: { entry: { ...back, id: null, fields: byPerson(entry, FIELD_NAMES) }, awaits: FIELD_NAMES },
    problem: null,
  };
}

/** Fields get their values from before, where the site still shows what the run made of them. */
function restored(
  { entry, onSite, links, action, because }: Now,
  before: Readonly<Record<string, Json>>,
  refs: Refs,
  { values: made }: Done,
  back: LedgerEntry,
): Step {
  if (!onSite || onSite.status === 'trash') return left(action, 'is not on the site any more');
  const touched = UNITS.filter((unit) => unit.some((field) => before[field] !== undefined));
  const open = touched.filter((unit) =>
    unit.every((field) => before[field] === undefined || isAsLeft(field, made, onSite)),
  );
  const sent = translated(sentBack(open, before, onSite, links), refs, links);
  const shown = valuesShown(onSite, links);
  const changes = Object.fromEntries(
    Object.entries(sent)
      .filter(([field, to]) => !looksSame(field as FieldName, to, shown[field]))
      .map(([field, to]) => [field, { from: shown[field] ?? null, to }]),
  );
  const wanted = translated(before, refs, links);
  const isBack = (unit: readonly FieldName[]): boolean =>
    unit.every((field) => before[field] === undefined || looksSame(field, wanted[field] ?? null, shown[field] ?? null));
  const changed = touched.filter((unit) => !open.includes(unit) && !isBack(unit));
  const problem =
    changed.length === 0
      ? null
      : left(action, `was changed since in ${changed.map(([field]) => field).join(', ')}`).problem;
  if (Object.keys(changes).length === 0) return { ...NOTHING, problem };
  const fields = open.flat().filter((field) => sent[field] !== undefined);
  const update: Action = {
    kind: 'update',
    resource: 'events',
    slug: entry.slug,
    id: onSite.id,
    siteSlug: onSite.slug,
    title: entry.title,
    fields: sent,
    changes,
    ...lastSentValues(Object.keys(changes), entry, onSite),
    because,
  };
  return {
    action: update,
    change: { entry: { ...back, id: onSite.id, fields: byPerson(entry, fields) }, awaits: fields },
    problem,
  };
}

// A time goes out whole: what of it the run did not change is sent as it is.
function sentBack(
  units: readonly (readonly FieldName[])[],
  before: Values,
  onSite: SiteEvent,
  links: Links,
): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    units.flat().flatMap((field): [string, Json][] => {
      const value = before[field] ?? onSite.values[field];
      return value === undefined || value === null
        ? []
        : [[field, isLinked(field) && before[field] === undefined ? links.refsOfIds(field, value) : value]];
    }),
  );
}

/** Refs of the earlier run as refs of this plan: by their ids, since a name may have gone to another one meanwhile. */
function translated(values: Readonly<Record<string, Json>>, refs: Refs, links: Links): Readonly<Record<string, Json>> {
  return mapped(values, (value, field) =>
    isLinked(field)
      ? links.refsOfIds(
          field,
          siteForm(field, value, (ref) => refs[ref]),
        )
      : value,
  );
}

const byPerson = ({ fields }: LedgerEntry, names: readonly FieldName[]): LedgerEntry['fields'] => ({
  ...fields,
  ...Object.fromEntries(
    names.map((field): [FieldName, FieldState] => [field, { feed: null, ...fields[field], by: 'person' }]),
  ),
});

const NOTHING: Step = { action: null, change: null, problem: null };

const left = ({ title, slug }: EventAction, why: string): Step => ({
  ...NOTHING,
  problem: { code: 'changed-since', message: `"${title}" ${why}: it is left as it is.`, where: { slug } },
});
