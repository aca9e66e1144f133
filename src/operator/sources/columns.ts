import type { SourceFacts } from '../../run/watch/source-state.ts';
import { sourcePath } from './paths.ts';
import type { Problems } from './problem-list.ts';

/** The path to the form where the columns of a table are chosen. */
export const columnsPath = (source: string): string => `${sourcePath(source, 'settings')}#columns`;

/** Why a table cannot be read until its columns are chosen; undefined if it can be read. */
export function whyChooseColumns(
  { failures }: Pick<SourceFacts, 'failures'>,
  problems: Pick<Problems, 'kinds'> | undefined,
): string | undefined {
  if (failures?.code === 'column-gone') return failures.message ?? undefined;
  return problems?.kinds.find(({ code }) => code === 'csv-header')?.example.message;
}
