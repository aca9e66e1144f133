import type { Problem } from '../../problem.ts';
import type { LedgerChange, LedgerEntry, Plan } from '../model/plan.ts';
import { listFirst } from '../plan/notices.ts';
import { attachedEntry, isReleased, releasedEntry } from './detach.ts';

const NAMED_MAX = 5;

/**
 * The ledger changes and notices when an adoption is undone: the events are detached, so their source neither changes
 * nor removes them, nor creates them a second time. `changes` are the undo's other ledger changes.
 */
export function undoAdoption(
  adopted: readonly string[],
  ledger: ReadonlyMap<string, LedgerEntry>,
  changes: Plan['ledger'],
): Pick<Plan, 'ledger' | 'problems'> & Required<Pick<Plan, 'released'>> {
  const released = adopted.flatMap((slug): readonly LedgerChange[] => {
    const known = ledger.get(slug);
    const { entry, pendingFields } = changes[slug] ?? { entry: known, pendingFields: [] };
    return known?.state === 'kept' && entry ? [{ entry: releasedEntry(entry), pendingFields }] : [];
  });
  return {
    ledger: { ...changes, ...Object.fromEntries(released.map((change) => [change.entry.slug, change])) },
    problems: told(released.map(({ entry }) => entry)),
    released: released.map(({ entry }) => entry.slug),
  };
}

/**
 * The ledger changes when such an undo is itself undone: the source has the events again, as it had adopted them.
 * `changes` are the other ledger changes.
 */
export const redoAdoption = (
  released: readonly string[],
  ledger: ReadonlyMap<string, LedgerEntry>,
  changes: Plan['ledger'],
): Plan['ledger'] =>
  Object.fromEntries(
    released.flatMap((slug): readonly (readonly [string, LedgerChange])[] => {
      const known = ledger.get(slug);
      if (!known || !isReleased(known)) return [];
      const { entry, pendingFields } = changes[slug] ?? { entry: known, pendingFields: [] };
      return [[slug, { entry: attachedEntry(entry), pendingFields }]];
    }),
  );

function told(entries: readonly LedgerEntry[]): readonly Problem[] {
  const [first, ...others] = entries;
  if (first === undefined) return [];
  const names = listFirst(
    entries.map(({ title, slug }) => `"${title}" (${slug})`),
    NAMED_MAX,
  );
  const [are, given] =
    others.length === 0
      ? ["is a person's own again: its source leaves it alone", 'it to its source']
      : ["are people's own again: their source leaves them alone", 'the first one to it'];
  const message = `${names} ${are}. "npm run -s calsyncd -- detach ${first.slug} --off" gives ${given}.`;
  return [{ code: 'own-again', message, where: others.length === 0 ? { slug: first.slug } : {} }];
}
