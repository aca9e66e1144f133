import { expect, test } from 'vitest';
import { sql } from '../../src/db/database.ts';
import { signedInConsole, sourcesListed } from '../support/console.ts';
import { feedServer } from '../support/feed-server.ts';
import { syncingApp } from '../support/syncing-app.ts';

test('the pages of the console stay small with a thousand sources', async () => {
  const [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  syncing.clock.now = Date.now();
  const many = Array.from(
    { length: 1_000 },
    (_, index) => `  the-club-called-${index}: { url: "${feeds.url}/${index}.ics" }\n`,
  );
  const large = await syncing.open(
    `builtin: { title: Town calendar, timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n${many.join('')}`,
  );
  await sql`insert into calsync.runs (run, site, source, cause, state, started_at, finished_at, report)
    select 'the-club-called-' || s || '-' || d, 'builtin', 'the-club-called-' || s, '{"kind":"schedule"}',
      case d % 3 when 0 then 'failed' when 1 then 'held' else 'done' end, now() - d * interval '1 hour', now() - d * interval '1 hour',
      jsonb_build_object('created', d, 'updated', 2 * d, 'removed', 7, 'problems', jsonb_build_array(jsonb_build_object(
        'code', 'column-gone', 'message', 'The column "Beginn der Veranstaltung", which held start_date, has disappeared. Write another.')))
    from generate_series(0, 999) as s, generate_series(0, 40) as d`.execute(large.state.database.query());
  const browser = await signedInConsole(large, 'clerk', 'editor');
  const first = await browser.get('/sources/?sort=name');
  expect([sourcesListed(first.html).length, first.text.includes('Page 1 of 25, 1,000 sources')]).toEqual([40, true]);
  // Together with the style and the script, it must stay below 150,000.
  expect(first.html.length).toBeLessThan(115_000);
  expect(sourcesListed((await browser.get('/sources/?sort=name&page=25')).html)).toHaveLength(40);
  // The address may be from a time when there were more sources.
  const beyond = await browser.get('/sources/?sort=name&page=99');
  expect([sourcesListed(beyond.html).length, beyond.text]).toEqual([
    40,
    expect.stringContaining('Previous Page 25 of 25'),
  ]);
  expect((await browser.get('/')).html.length).toBeLessThan(100_000);
  await Promise.all([syncing.close(), feeds.close()]);
});
