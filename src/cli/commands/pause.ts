import { momentFrom, momentInWords } from '../../run/watch/moments.ts';
import { pauseSource } from '../../run/watch/pauses.ts';
import { withDatabase } from '../open/open-database.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { commandOf } from '../terminal/command.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { zonesOfSites } from '../../run/state/site-zones.ts';
import { watchedSources } from '../terminal/watched-sources.ts';
import { WrongUse } from '../terminal/wrong-use.ts';

/** `pause SOURCE… [--until WHEN] [--reason TEXT]`: keeps the schedule from reading the sources until then. */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'pause <sources...>',
  description: 'stop reading sources by schedule, until a moment or until "resume"; "sync SOURCE" still reads them',
  example: 'pause theatre --until tomorrow --reason "new website"',
  options: [['--until <when>', '2026-12-01, "2026-12-01 08:00", tomorrow, or for 12h, 3d, 2w'], REASON],
  act: async (call) =>
    withDatabase(call.config, call.io, async (database) => {
      const { io, config, options } = call;
      const query = database.query();
      const sources = await watchedSources(config, call.args);
      const zoneOf = await zonesOfSites(query, config.builtin.timezone);
      const { by, reason } = askedBy(call);
      const now = io.now();
      const ends = sources.map(({ site }) => endOf(options['until'], now, zoneOf(site)));
      for (const [index, source] of sources.entries())
        await pauseSource(query, source, { until: ends[index] ?? null, reason }, by);
      const paused = sources.map(({ site, source }, index) => ({ site, source, until: ends[index] ?? null }));
      if (options.json)
        printJson(io, {
          paused: paused.map(({ source, until }) => ({
            source,
            until: until === null ? null : new Date(until).toISOString(),
          })),
        });
      else
        for (const { site, source, until } of paused)
          io.out(
            `${source} is paused until ${endInWords(source, until, now, zoneOf(site))}. What it has on the site stays.\n`,
          );
      return EXIT.done;
    }),
});

const endInWords = (source: string, until: number | null, now: number, zone: string): string =>
  until === null ? `"resume ${source}"` : `${momentInWords(until, now, zone, { hasClock: true })} (${zone})`;

function endOf(until: unknown, now: number, zone: string): number | null {
  if (typeof until !== 'string') return null;
  const at = momentFrom(until, now, zone);
  if (at === undefined)
    throw new WrongUse(
      `--until takes a day (2026-12-01), a moment ("2026-12-01 08:00"), tomorrow, or a time from now (12h, 3d, 2w), not "${until}".`,
    );
  if (at <= now) throw new WrongUse(`--until ${until} is over already.`);
  return at;
}
