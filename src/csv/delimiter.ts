const CANDIDATES = [',', ';', '\t', '|'] as const;

/** What separates the cells, and where the table begins: behind the line `sep=;` that Excel understands, else at the start. */
export function delimiterOf(text: string): { readonly delimiter: string; readonly from: number } {
  const said = /^"?sep=(.)"?(?:\r\n|\n|\r)/i.exec(text);
  if (said?.[1] !== undefined) return { delimiter: said[1], from: said[0].length };
  const header = firstRecord(text);
  const counts = CANDIDATES.map((delimiter) => header.split(delimiter).length - 1);
  return { delimiter: CANDIDATES[counts.indexOf(Math.max(...counts))] ?? ',', from: 0 };
}

/** The first line that is not blank, without what is quoted in it. */
function firstRecord(text: string): string {
  const start = text.search(/\S/);
  const unquoted = text.slice(Math.max(0, start), start + 20_000).replace(/"(?:[^"]|"")*"/g, '');
  return unquoted.split(/\r\n|\n|\r/, 1)[0] ?? '';
}
