import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FEED_ADVICE } from '../../../src/feed-codes.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const sources = (...patterns: readonly string[]): readonly string[] =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((file) => readFileSync(path.join(root, file), 'utf8'));

// Fetching, decoding, parsing and drafting write out the code of each problem that they report.
const MADE = /(?:problems\.add|report|failed|fail|fault)\(\s*('[a-z][a-z-]+')|\bcode: ([^,\n]*'[a-z][a-z-]+')/g;
const codesIn = (text: string): readonly string[] =>
  [...text.matchAll(MADE)].flatMap(([, given = '', made = '']) =>
    [...(given + made).matchAll(/'([a-z]+(?:-[a-z]+)+)'/g)].map(([, code]) => code!),
  );
const files = sources(
  'src/charset.ts',
  'src/ical/**/*.ts',
  'src/csv/*.ts',
  'src/sync/drafts/{from-*,no-events}.ts',
  'src/sync/formats/*.ts',
  'src/sync/drafts/calendar-times.ts',
  'src/sync/drafts/repeated-rows.ts',
  'src/run/fetch/fetch-{feed,file,web,result}.ts',
  'src/run/fetch/refusal.ts',
  'src/run/parse/parse-*.ts',
  'src/run/parse/preview-feed.ts',
);
const [failures] = sources('src/client/http-failure.ts');
// The code of a failed connection becomes `feed-…` in src/run/fetch/fetch-web.ts.
const ofConnections = /readonly code:\s*([^;]+);/
  .exec(failures!)![1]!
  .match(/[a-z][a-z-]+/g)!
  .map((code) => `feed-${code}`);
const codes = new Set([...files.flatMap(codesIn), ...ofConnections]);

describe('the advice to publishers', () => {
  it('is checked against the codes in the source files', () => {
    expect(codes.size).toBeGreaterThan(80);
    expect([...codes]).toEqual(
      expect.arrayContaining([
        'date-unreadable',
        'row-date',
        'csv-quote',
        'csv-record',
        'feed-tls',
        'feed-busy',
        'uid-missing',
        'charset-broken',
        'feed-too-slow',
        'not-csv-page',
      ]),
    );
  });

  it('covers every code that reading a feed can give', () => {
    expect([...codes].filter((code) => !(code in FEED_ADVICE)).toSorted()).toEqual([]);
  });

  it('covers no other codes', () => {
    expect(Object.keys(FEED_ADVICE).filter((code) => !codes.has(code))).toEqual([]);
  });

  it.each(
    Object.entries(FEED_ADVICE).flatMap(([code, advice]) => ('operator' in advice ? [] : [[code, advice] as const])),
  )('%s: whole sentences, and an example with both sides or none', (_, { title, programs, fix, before, after }) => {
    expect(title).toMatch(/^[A-Z].*[^.]$/s);
    expect(programs).toMatch(/[^.]$/);
    expect(fix).toMatch(/\.$/);
    expect(before === undefined).toBe(after === undefined);
    expect(before).not.toBe(after ?? ' ');
  });
});
