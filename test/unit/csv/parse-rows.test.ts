import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRows } from '../../../src/csv/parse-rows.ts';

const read = (text: string | Uint8Array, contentType: string | null = null) =>
  parseRows(typeof text === 'string' ? Buffer.from(text) : text, contentType);
function rowsOf(
  text: string | Uint8Array,
  contentType: string | null = null,
): {
  readonly cells: readonly (readonly string[])[];
  readonly places: readonly string[];
  readonly codes: readonly string[];
} {
  const parsed = read(text, contentType);
  if (parsed.kind === 'notRows') throw new Error(parsed.problem.message);
  const { header, rows } = parsed.value;
  return {
    cells: [header, ...rows.map((row) => row.cells)],
    places: rows.map(({ row, line }) => `${row}/${line}`),
    codes: parsed.problems.map(({ code }) => code),
  };
}

describe('rows', () => {
  const AB = [
    ['a', 'b'],
    ['1', '2'],
  ];
  const forms: readonly (readonly [string, string | Uint8Array])[] = [
    ['commas', 'a,b\r\n1,2\r\n'],
    ['semicolons', 'a;b\n1;2'],
    ['tabs', 'a\tb\n1\t2\n'],
    ['bars', 'a|b\n1|2\n'],
    ['line ends of old Macs', 'a,b\r1,2\r'],
    ['a byte order mark', '\uFEFFa,b\n1,2'],
    ['a sep= line', 'sep=;\r\na;b\r\n1;2'],
    ['UTF-16', Buffer.from('\uFEFFa,b\n1,2', 'utf16le')],
    ['blank rows', '\n\na,b\n\n,\n1,2\n\n'],
    ['quoted headers with other delimiters in them', '"a";"b"\n"1";"2"'],
  ];
  it.each(forms)('with %s', (_name, text) => expect(rowsOf(text).cells).toEqual(AB));

  it('know their row in the spreadsheet and their line in the file', () =>
    expect(rowsOf('a,b\n"x\ny",2\n\n3,4').places).toEqual(['2/2', '4/5']));
  it('count a sep= line, too', () => expect(rowsOf('sep=;\na;b\n1;2').places).toEqual(['3/3']));
  it('are read in the charset that the server declares', () =>
    expect(rowsOf(Buffer.from([0x61, 0x0a, 0xb1]), 'text/csv; charset=iso-8859-2').cells).toEqual([['a'], ['ą']]));
  it('report a guessed charset and lost characters, as calendars do', () => {
    expect(rowsOf(Buffer.from('Title\nM\xfcller', 'latin1')).codes).toEqual(['charset-guessed']);
    expect(rowsOf(Buffer.concat([Buffer.from('Zażółć gęślą jaźń\n'), Buffer.from([0xff])])).codes).toEqual([
      'charset-broken',
    ]);
  });
  it('keep quotation marks inside a cell', () =>
    expect(rowsOf('a,b\n5" pizza,2\n').cells[1]).toEqual(['5" pizza', '2']));
  it('may have blanks between a delimiter and a quotation mark', () => {
    expect(rowsOf('Title, Date\n"Songs, poems", "2027-03-05"\n').cells[1]).toEqual(['Songs, poems', '2027-03-05']);
    expect(rowsOf('a, b, c\n1, "x, y", "z"\n').cells[1]).toEqual(['1', 'x, y', 'z']);
    expect(rowsOf('a\tb\tc\n\t\t"1"\n').cells[1]).toEqual(['', '', '1']);
    expect(rowsOf('a, b\n "Tom" and "Tim", 2\n').cells[1]).toEqual(['"Tom" and "Tim"', '2']);
  });
  it('may be more than a function call can take as arguments', () =>
    expect(rowsOf(`a\n${'1\n'.repeat(200_000)}`).cells.length).toBe(200_001));
  it('keep a formula as text', () =>
    expect(rowsOf('a\n"=HYPERLINK(""x"")"\n-1+1\n@cmd').cells.slice(1)).toEqual([
      ['=HYPERLINK("x")'],
      ['-1+1'],
      ['@cmd'],
    ]));

  it('an unclosed quotation mark loses only its row', () => {
    const { cells, codes } = rowsOf('a,b\n1,2\n"never,3\n4,5\n"nor this,6\n7,8\n');
    expect(cells.slice(1)).toEqual([
      ['1', '2'],
      ['4', '5'],
      ['7', '8'],
    ]);
    expect(codes).toEqual(['csv-quote', 'csv-quote']);
  });
  it('a record of more than a megabyte is left out, and only that', () =>
    expect(rowsOf(`a,b\nx,${'y'.repeat(1_100_000)}\n1,2`)).toMatchObject({ cells: AB, codes: ['csv-record'] }));

  const refused: readonly (readonly [string, string, string])[] = [
    ['an empty file', '', 'csv-empty'],
    ['a blank file', ' \r\n\n', 'csv-empty'],
    ['a web page', '\n<!DOCTYPE html><html>', 'not-csv-page'],
    ['a calendar', 'BEGIN:VCALENDAR\r\n', 'not-csv'],
    ['JSON', ' [{"title": "a", "start": "b"}]', 'not-csv'],
    ['empty rows', ',,\n,,', 'csv-empty'],
  ];
  it.each(refused)('%s is not a table', (_name, text, code) =>
    expect(read(text)).toMatchObject({ kind: 'notRows', problem: { code } }),
  );

  it('well-formed tables are read back unchanged, and no bytes make it throw', () => {
    const cell = fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .filter((text) => !/[\0\uFEFF]/.test(text) && text.isWellFormed());
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(table, fc.constantFrom(',', ';', '\t'), fc.constantFrom('\r\n', '\n'), (rows, delimiter, end) => {
        const text = [['first', 'second'], ...rows]
          .map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(delimiter))
          .join(end);
        expect(rowsOf(text).cells.slice(1)).toEqual(rows.filter((cells) => cells.some((each) => each.trim() !== '')));
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(['rows', 'notRows']).toContain(read(bytes).kind);
      }),
    );
  });
});
