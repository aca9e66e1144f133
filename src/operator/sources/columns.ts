import type { SourceFacts } from '../../run/watch/source-state.ts';
import { sourcePath } from './paths.ts';
import type { Problems } from './problem-list.ts';

/** Where the columns of a table are chosen. */
export const columnsPath = (source: string): string => `${sourcePath(source, 'settings')}#columns`;

/** Why a table cannot be read before somebody has chosen its columns; undefined if it can. */
export function whyChooseColumns(
  { failures }: Pick<SourceFacts, 'failures'>,
  problems: Pick<Problems, 'kinds'> | undefined,
): string | undefined {
  if (failures?.code === 'column-gone') return failures.message ?? undefined;
  return problems?.kinds.find(({ code }) => code === 'csv-header')?.example.message;
}
