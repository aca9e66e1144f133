import { expect, test } from 'vitest';
import { timeColumn, zonesNote } from '../../../src/cli/text/time-column.ts';

const ZONES: Readonly<Record<string, string>> = { builtin: 'Europe/Warsaw', other: 'America/New_York' };
const zoneOf = (site: string): string => ZONES[site] ?? 'UTC';
const noon = new Date('2027-01-15T12:00:00Z');

test('a column of times names its zone once on a terminal, and with each time elsewhere', () => {
  const shown = timeColumn('began', ['builtin', 'builtin'], zoneOf, { columns: 80 });
  expect([shown.heading, shown.cell('builtin', noon)]).toEqual(['began (Europe/Warsaw)', '2027-01-15 13:00']);
  const piped = timeColumn('began', ['builtin'], zoneOf, { columns: undefined });
  expect([piped.heading, piped.cell('builtin', noon)]).toEqual(['began', '2027-01-15 13:00 CET']);
});

test('a note below other texts names the zone, or that of each site', () => {
  expect(zonesNote(['builtin', 'builtin'], zoneOf)).toMatchObject({ text: 'Times are in Europe/Warsaw.' });
  expect(zonesNote(['builtin', 'other'], zoneOf)).toMatchObject({
    text: 'Times are those of each site: builtin Europe/Warsaw, other America/New_York.',
  });
});
