import type { ColumnField } from '../../csv/column-names.ts';
import { columnsOf } from '../../csv/columns.ts';
import { parseRows } from '../../csv/parse-rows.ts';
import type { DraftConfig } from '../model/draft.ts';
import { isFieldName, type FieldName } from '../model/fields.ts';
import { shownLine } from './excerpt.ts';
import { linesFrom, type FieldPlace } from './field-place.ts';

/** Room for a title above the header, and for cells with several lines. */
const LINES_MAX = 60;

/** Columns whose name differs from the field that they are read into. */
const FIELD_OF: Readonly<Partial<Record<ColumnField, FieldName>>> = {
  start_time: 'start_date',
  recurrence: 'start_date',
  end_time: 'end_date',
  duration: 'end_date',
  address: 'venue',
  city: 'venue',
  state: 'venue',
  zip: 'venue',
  country: 'venue',
  latitude: 'venue',
  longitude: 'venue',
  venue_phone: 'venue',
  venue_website: 'venue',
  organizer_email: 'organizer',
  organizer_phone: 'organizer',
  organizer_website: 'organizer',
};

/** What the row that begins at a line of a table gives for each field; empty if the table has no header. */
export function tableFieldPlaces(
  text: string,
  line: number,
  { columns: configured }: Pick<DraftConfig, 'columns'>,
): readonly FieldPlace[] {
  const head = read(linesFrom(text, 1, LINES_MAX), configured);
  if (!head) return [];
  // Only this row is read, below the header, and not the whole of a large table.
  const above = linesFrom(text, 1, head.headerRow);
  const table = read(above + linesFrom(text, line, LINES_MAX), configured);
  const [row] = table?.rows ?? [];
  if (!table || !row) return [];
  const { value: columns } = columnsOf(table.header, configured);
  return [...columns].flatMap(([column, indexes]) => {
    const field = FIELD_OF[column] ?? column;
    if (!isFieldName(field)) return [];
    return indexes.flatMap((index) => {
      const cell = row.cells[index]?.trim() ?? '';
      return cell === '' ? [] : [{ field, name: table.header[index] ?? '', line, text: shownLine(cell) }];
    });
  });
}

function read(text: string, configured: DraftConfig['columns']) {
  const rows = parseRows(new TextEncoder().encode(text), 'text/csv; charset=utf-8', configured);
  return rows.kind === 'rows' ? rows.value : undefined;
}
