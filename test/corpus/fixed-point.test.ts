import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { comparableInstants, importedAndExported } from '../support/fixed-point.ts';

const folder = path.join(process.env['CALSYNCD_CORPUS'] ?? path.join(import.meta.dirname, '../../../shared'), 'feeds');
const truths = existsSync(folder) ? globSync(['truth/real/**/*.json', 'truth/real/**/*.json.gz'].map((pattern) => path.join(folder, pattern))).toSorted() : [];
if (truths.length === 0) process.stderr.write(`Not run: no feeds in ${folder} (set CALSYNCD_CORPUS).\n`);

const [NOW, SPAN] = [Date.UTC(2015, 0, 1), { past: '5500d', future: '5500d' }];
// Times are compared as instants: the import shows those in UTC in the zone that the calendar names.
// Each import is into a database of its own: one feed of each publisher, and none of thousands of events.
const feeds = [...Map.groupBy(truths.filter((file) => { const count = occurrencesIn(file); return count > 0 && count <= 200; }), (file) => path.dirname(file)).values()].map(([first]) => first!);

function occurrencesIn(file: string): number {
  const bytes = readFileSync(file);
  return (JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()) as { readonly occurrences: readonly unknown[] }).occurrences.length;
}

test.skipIf(truths.length === 0)('what was exported is exported again as it was, of every publisher', async () => {
  const wrong: string[] = [];
  let events = 0;
  for (const file of feeds) {
    const name = path.relative(path.join(folder, 'truth'), file).replace(/\.json(?:\.gz)?$/, '');
    const first = await importedAndExported({ file: path.join(folder, name) }, NOW, SPAN);
    const second = await importedAndExported({ text: first.text }, NOW, SPAN);
    const [before, after] = [comparableInstants(first.text), comparableInstants(second.text)];
    events += before.length - 1;
    const [lost, gained] = [before.filter((event) => !after.includes(event)), after.filter((event) => !before.includes(event))];
    wrong.push(...lost.map((event, index) => `${name}\n--- ${event}\n+++ ${gained[index]}`));
  }
  process.stdout.write(`exported, imported and exported again ${events} events of ${feeds.length} feeds\n`);
  expect(wrong).toEqual([]);
});
