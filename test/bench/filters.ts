import { LISTS, seedFilters } from './filter-lists.ts';
import { onEmptySite } from './rest-site.ts';
import { listTimes } from './rest-statements.ts';

// How long the database takes to plan and run a list with each filter: first to count it, then for pages of 50.
// `node src/launch.js test/bench/filters.ts 100000`; with part of a list's address, only matching lists are measured.

const NS = '/api/calendar/events/v1';
const COLUMNS = ['rows', 'counted', 'first', 'written', 'middle', 'last'];

await onEmptySite(async ({ address, database }) => {
  await seedFilters(database.pool, Number(process.argv[2] ?? 100_000));
  process.stdout.write(`${'list'.padEnd(66)}${COLUMNS.map((name) => name.padStart(8)).join('')}\n`);
  const wanted = process.argv[3];
  for (const [list, as] of LISTS.filter(([at]) => wanted === undefined || at.includes(wanted))) {
    const { total, counting, first, afterWrite, middle, last, readsAllEvents } = await listTimes(
      address,
      database.pool,
      `${NS}${list}`,
      as,
    );
    const cells = [String(total), ...[counting, first, afterWrite, middle, last].map((ms) => ms.toFixed(1))]
      .map((cell) => cell.padStart(8))
      .join('');
    process.stdout.write(
      `${`${as?.login ?? ''} ${list.replace(/[?&]$/, '')}`.padEnd(66)}${cells}${readsAllEvents ? ' reads all events' : ''}\n`,
    );
  }
});
