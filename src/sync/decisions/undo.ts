import type { Problem } from '../../problem.ts';
import { authorityOf } from '../event/merge.ts';
import { pinnedEntry } from '../event/life.ts';
import { refsIn, refsReplaced } from '../links/link.ts';
import { idsOfRefs, linksFor, type Links } from '../links/links.ts';
import { withoutNames } from '../model/json.ts';
import type {
  Action,
  EventAction,
  LedgerChange,
  LedgerEntry,
  Outcome,
  Plan,
  Policy,
  Refs,
  RemoveEvent,
  SentFields,
  SiteEvent,
  Snapshot,
  UpdateEvent,
} from '../model/plan.ts';
import { isRevival, valuesBefore } from '../model/values-before.ts';
import { heldFor, holdReasons } from '../plan/guards.ts';
import { lostFields, lostLinks, withoutLost } from './lost-links.ts';
import { adoptedAgain, ownAgain } from './own-again.ts';
import { broughtBack, leftAlone, restored, takenAway, type UndoneEvent, type WayBack } from './way-back.ts';

type Done = Extract<Outcome, { kind: 'done' }>;

interface Undone {
  readonly action: Action;
  /** What it was to make of the event's entry in the ledger. */
  readonly change?: LedgerChange | null | undefined;
  readonly outcome: Outcome | null;
}

/** A run to be undone, and the current state of its events. */
export interface Undoing {
  readonly run: string;
  /** What the run did, in order. */
  readonly done: readonly Undone[];
  /** Slugs of the events that the run took over from others. */
  readonly adopted?: readonly string[];
  /** Slugs of the events that the run gave back to their makers by undoing an adoption. */
  readonly released?: readonly string[];
  /** The ids behind the refs in its actions. */
  readonly refs: Refs;
  /** Refs whose ids now belong to something else. */
  readonly movedRefs: ReadonlySet<string>;
  readonly snapshot: Snapshot;
  readonly onSite: (slug: string) => SiteEvent | undefined;
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  readonly policy: Policy;
}

/**
 * The plan that undoes a run: created events are trashed, updated ones get their earlier values, removed ones come
 * back. Whatever has changed since is left alone and reported. Restored values count as a person's, so the next run
 * keeps them; events that it adopted are people's own again, and those that it gave back to people are adopted. All
 * guards apply.
 */
export function planUndo(undoing: Undoing): Plan {
  const links = linksFor([], undoing.snapshot, undoing.policy);
  const deciding = { ...undoing, comeAnew: comeAnew(undoing.ledger) };
  const waysBack = undoing.done
    .toReversed()
    .flatMap(({ action, outcome, change }) =>
      action.resource === 'events' && outcome?.kind === 'done'
        ? [wayBackOf(deciding, links, { action, change, outcome })]
        : [],
    );
  const actions = waysBack.flatMap(({ action }) => action ?? []);
  const changes = Object.fromEntries(
    waysBack.flatMap(({ change }) => (change ? [[change.entry.slug, change] as const] : [])),
  );
  const { ledger, problems, released } = ownAgain(undoing.adopted ?? [], undoing.ledger, changes);
  const again = adoptedAgain(undoing.released ?? [], undoing.ledger, ledger);
  return {
    actions,
    refs: idsOfRefs([...actions.flatMap(refsIn), ...actions.flatMap(refsReplaced)], links),
    ledger: { ...ledger, ...again },
    ...(released.length > 0 ? { released } : {}),
    ...(Object.keys(again).length > 0 ? { adopted: Object.keys(again) } : {}),
    unchanged: Object.keys(again).filter((slug) => changes[slug] === undefined).length,
    skipped: waysBack.filter((back) => back.problems.length > 0).length,
    conflicts: [],
    problems: [...waysBack.flatMap((back) => back.problems), ...writtenAgain(waysBack, undoing.policy), ...problems],
    ...heldFor(holdReasons({ actions, ledger: undoing.ledger, policy: undoing.policy, lost: 0, empty: false })),
  };
}

/** Warns now about restored values that the next run will overwrite because the feed decides. */
function writtenAgain(waysBack: readonly WayBack[], policy: Policy): readonly Problem[] {
  const fields = [
    ...new Set(
      waysBack
        .flatMap(({ action, change }) => (action?.kind === 'update' ? (change?.pendingFields ?? []) : []))
        .filter((field) => field !== 'status' && authorityOf(policy, [field]) === 'feed'),
    ),
  ];
  return fields.length === 0
    ? []
    : [
        {
          code: 'feed-decides',
          where: {},
          message:
            `The feed decides about ${fields.join(', ')} here (authority: feed): ` +
            "the next run that compares them writes the feed's values again. " +
            'With authority: preserve the restored ones stay.',
        },
      ];
}

interface Deciding extends Undoing {
  readonly comeAnew: ReturnType<typeof comeAnew>;
}

interface DoneToEvent extends Undone {
  readonly action: EventAction;
  readonly outcome: Done;
}

function wayBackOf(undoing: Deciding, links: Links, done: DoneToEvent): WayBack {
  const { action } = done;
  const lost = lostFields(action, undoing.movedRefs);
  const back = decideWayBack(undoing, links, { ...done, action: withoutLost(action, lost) });
  return back.action && lost.length > 0 ? { ...back, problems: [...back.problems, lostLinks(action, lost)] } : back;
}

function decideWayBack(undoing: Deciding, links: Links, { action, change, outcome }: DoneToEvent): WayBack {
  const entry = undoing.ledger.get(action.slug);
  if (!entry) return leftAlone(action, 'is no longer in our ledger');
  const anew = action.kind === 'remove' ? undoing.comeAnew(entry) : undefined;
  if (anew) return leftAlone(action, `has come anew as ${anew.slug}`);
  if (isTheirs(entry, change)) return leftAlone(action, 'was made their own by a person');
  const undone: UndoneEvent = {
    entry,
    onSite: undoing.onSite(action.slug),
    links,
    refs: undoing.refs,
    action,
    returned: outcome.values,
    because: `undo of ${undoing.run}`,
  };
  switch (action.kind) {
    case 'create':
      return outcome.older
        ? leftAlone(action, 'was on the site before that run, where no list showed it')
        : takenAway(undone, 'ignored');
    case 'update':
      // If the feed lacks the event, it may return when the feed has it again; if the feed has it, it stays away.
      return isRevival(action)
        ? takenAway(undone, entry.pinned ? 'removed' : 'ignored')
        : restored(undone, beforeUpdate(action, outcome), entry);
    case 'remove':
      return action.how === 'trash'
        ? broughtBack(undone, action)
        : restored(undone, beforeRemoval(action, outcome), pinnedEntry(entry));
  }
}

/** Whether an event became a person's own after the run: what was done to it since then, they have asked for. */
const isTheirs = (entry: LedgerEntry, change: Undone['change']): boolean =>
  entry.state === 'detached' && change?.entry.state !== 'detached';

/**
 * Finds the entry of the same event under another slug: it was forgotten under a former name of its source, and has come
 * anew.
 */
function comeAnew(ledger: ReadonlyMap<string, LedgerEntry>): (entry: LedgerEntry) => LedgerEntry | undefined {
  const named = Map.groupBy(ledger.values(), nameOf);
  return (entry) =>
    entry.identity === null ? undefined : named.get(nameOf(entry))?.find(({ slug }) => slug !== entry.slug);
}

const nameOf = ({ rung, identity }: LedgerEntry): string => `${rung} ${identity}`;

/** The values that an update replaced, as we had sent them if known; also a status that the site changed by itself. */
function beforeUpdate(action: UpdateEvent, { already, differs }: Done): SentFields {
  const before = withoutNames({ ...valuesBefore(action), ...action.wrote }, already);
  return differs?.status === undefined ? before : { ...before, status: differs.status };
}

/** The values that a withdrawal or a mark as cancelled replaced, as we had sent them if known. */
function beforeRemoval({ fields, before, wrote }: RemoveEvent, { already }: Done): SentFields {
  const replaced = Object.keys(fields).map((field) => [field, wrote?.[field] ?? before[field] ?? null] as const);
  return withoutNames(Object.fromEntries(replaced), already);
}
