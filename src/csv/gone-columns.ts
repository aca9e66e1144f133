import { quoted } from './quoted.ts';
import type { Problem } from '../problem.ts';
import type { ColumnField } from './column-names.ts';
import { columnsOf, DECIDING_FIELDS } from './columns.ts';
import { foldedWords } from '../ascii.ts';

export interface GoneColumns {
  readonly problems: readonly Problem[];
  /**
   * Without this column, events would lose their identity or times, or be shown or removed by mistake, so the table
   * must not be used.
   */
  readonly isDeciding: boolean;
}

/** The columns that a table used to have and now lacks. `ruled` are the fields used by the source's rules. */
export function goneColumns(
  before: readonly string[],
  now: readonly string[],
  configured: Readonly<Record<string, string>>,
  ruled: ReadonlySet<string> = new Set(),
): GoneColumns {
  const [had, has] = [columnsOf(before, configured).value, columnsOf(now, configured).value];
  const known = new Set(before.map(foldedWords));
  const gone = [...had].filter(([field]) => !has.has(field));
  const isDeciding = (field: ColumnField): boolean =>
    DECIDING.has(field) ||
    ruled.has(field) ||
    ruled.has(RULE_NAMES[field] ?? '') ||
    (!had.has('uid') && (field === 'website' || field === 'venue'));
  return {
    problems: gone.map(([field, indexes]) =>
      goneProblem(
        field,
        indexes[0] ?? 0,
        before,
        now,
        known,
        isDeciding(field) ? '' : ' Its values stay as they are on the site.',
      ),
    ),
    isDeciding: gone.some(([field]) => isDeciding(field)),
  };
}

const DECIDING: ReadonlySet<ColumnField> = new Set(DECIDING_FIELDS);

/** Fields that have another name in rules. */
const RULE_NAMES: Partial<Record<ColumnField, string>> = { website: 'url' };

/** The likely new name of a missing column: the new column in its position, or the only new one. */
function renamedTo(inPlace: string | undefined, added: readonly string[]): string | undefined {
  if (inPlace !== undefined && added.includes(inPlace)) return inPlace;
  return added.length === 1 ? added[0] : undefined;
}

function goneProblem(
  field: ColumnField,
  index: number,
  before: readonly string[],
  now: readonly string[],
  known: ReadonlySet<string>,
  otherwise: string,
): Problem {
  const name = before[index] ?? field;
  const added = now.filter((each) => each !== '' && !known.has(foldedWords(each)));
  const renamed = renamedTo(now[index], added);
  const advice =
    renamed === undefined
      ? otherwise
      : ` Is it "${renamed}" now? Then write columns: { ${field}: "${renamed}" } for this source.`;
  return {
    code: 'column-gone',
    message: `The column ${quoted(name)}, which held ${field}, is no longer there.${advice}`,
    where: { field },
  };
}
