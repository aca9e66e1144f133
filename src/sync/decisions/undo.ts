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
import { redoAdoption, undoAdoption } from './undo-adoption.ts';
import { undoRemoval, leaveAlone, undoUpdate, undoCreation, type UndoneEvent, type EventUndo } from './undo-event.ts';

type Done = Extract<Outcome, { kind: 'done' }>;

interface Undone {
  readonly action: Action;
  /** The planned change of the event's ledger entry. */
  readonly change?: LedgerChange | null | undefined;
  readonly outcome: Outcome | null;
}

/** A run to be undone, and the current state of its events. */
export interface UndoInput {
  readonly run: string;
  /** The run's actions and their outcomes, in order. */
  readonly done: readonly Undone[];
  /** Slugs of events made by others that the run adopted. */
  readonly adopted?: readonly string[];
  /** Slugs of events that the run returned to their makers by undoing an adoption. */
  readonly released?: readonly string[];
  /** The ids of the refs in its actions. */
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
 * keeps them. Events that the run adopted are detached, and those that it released are adopted again. All guards apply.
 */
export function planUndo(undoing: UndoInput): Plan {
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
  const { ledger, problems, released } = undoAdoption(undoing.adopted ?? [], undoing.ledger, changes);
  const again = redoAdoption(undoing.released ?? [], undoing.ledger, ledger);
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

/** Warns about restored values that the next run will overwrite because the feed has authority. */
function writtenAgain(waysBack: readonly EventUndo[], policy: Policy): readonly Problem[] {
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

interface Deciding extends UndoInput {
  readonly comeAnew: ReturnType<typeof comeAnew>;
}

interface DoneToEvent extends Undone {
  readonly action: EventAction;
  readonly outcome: Done;
}

function wayBackOf(undoing: Deciding, links: Links, done: DoneToEvent): EventUndo {
  const { action } = done;
  const lost = lostFields(action, undoing.movedRefs);
  const back = decideWayBack(undoing, links, { ...done, action: withoutLost(action, lost) });
  return back.action && lost.length > 0 ? { ...back, problems: [...back.problems, lostLinks(action, lost)] } : back;
}

function decideWayBack(undoing: Deciding, links: Links, { action, change, outcome }: DoneToEvent): EventUndo {
  const entry = undoing.ledger.get(action.slug);
  if (!entry) return leaveAlone(action, 'is no longer in our ledger');
  const anew = action.kind === 'remove' ? undoing.comeAnew(entry) : undefined;
  if (anew) return leaveAlone(action, `was created again as ${anew.slug}`);
  if (isTheirs(entry, change)) return leaveAlone(action, 'was made their own by a person');
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
        ? leaveAlone(action, 'was on the site before that run, where no list showed it')
        : undoCreation(undone, 'ignored');
    case 'update':
      // If the feed lacks the event, it may return once the feed has it again; if the feed has it, it stays off.
      return isRevival(action)
        ? undoCreation(undone, entry.pinned ? 'removed' : 'ignored')
        : undoUpdate(undone, beforeUpdate(action, outcome), entry);
    case 'remove':
      return action.how === 'trash'
        ? undoRemoval(undone, action)
        : undoUpdate(undone, beforeRemoval(action, outcome), pinnedEntry(entry));
  }
}

/** Whether a person detached the event after the run; anything done to it since then was at their request. */
const isTheirs = (entry: LedgerEntry, change: Undone['change']): boolean =>
  entry.state === 'detached' && change?.entry.state !== 'detached';

/**
 * Finds the entry of the same event under another slug: the event was forgotten under its source's former name and has
 * been created again.
 */
function comeAnew(ledger: ReadonlyMap<string, LedgerEntry>): (entry: LedgerEntry) => LedgerEntry | undefined {
  const named = Map.groupBy(ledger.values(), nameOf);
  return (entry) =>
    entry.identity === null ? undefined : named.get(nameOf(entry))?.find(({ slug }) => slug !== entry.slug);
}

const nameOf = ({ rung, identity }: LedgerEntry): string => `${rung} ${identity}`;

/**
 * The values that an update replaced, as we had sent them if that is known; also a status that the site itself changed.
 */
function beforeUpdate(action: UpdateEvent, { already, differs }: Done): SentFields {
  const before = withoutNames({ ...valuesBefore(action), ...action.wrote }, already);
  return differs?.status === undefined ? before : { ...before, status: differs.status };
}

/** The values that a withdrawal or cancellation mark replaced, as we had sent them if that is known. */
function beforeRemoval({ fields, before, wrote }: RemoveEvent, { already }: Done): SentFields {
  const replaced = Object.keys(fields).map((field) => [field, wrote?.[field] ?? before[field] ?? null] as const);
  return withoutNames(Object.fromEntries(replaced), already);
}
