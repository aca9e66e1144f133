import type { Problem } from '../problem.ts';
import { columnsOf, type ColumnField } from './columns.ts';
import { fold } from './fold.ts';

/** The columns that a table had before and has no more, as problems; `isIdentity` where events could not be recognised without one of them. */
export function goneColumns(before: readonly string[], now: readonly string[], configured: Readonly<Record<string, string>>): { readonly problems: readonly Problem[]; readonly isIdentity: boolean } {
  const [had, has] = [columnsOf(before, configured).value, columnsOf(now, configured).value];
  const known = new Set(before.map(fold));
  const gone = [...had].filter(([field]) => !has.has(field));
  return {
    problems: gone.map(([field, indexes]) => goneProblem(field, indexes[0] ?? 0, before, now, known)),
    isIdentity: gone.some(([field]) => field === 'uid' || field === 'title' || field === 'start_date'),
  };
}

function goneProblem(field: ColumnField, index: number, before: readonly string[], now: readonly string[], known: ReadonlySet<string>): Problem {
  const name = before[index] ?? field;
  // What stands in its place and was not there before is probably the same column under a new name.
  const candidates = now.filter((each) => each !== '' && !known.has(fold(each)));
  const renamed = candidates.includes(now[index] ?? '') ? now[index] : candidates.length === 1 ? candidates[0] : undefined;
  const advice = renamed === undefined ? 'Its values stay as they are on the site.' : `Is it "${renamed}" now? Then write columns: { ${field}: "${renamed}" } for this source.`;
  return { code: 'column-gone', message: `The column "${name}", which held ${field}, is gone since the last run. ${advice}`, where: { row: 1, field } };
}
