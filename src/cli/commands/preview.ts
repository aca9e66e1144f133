import { existsSync } from 'node:fs';
import path from 'node:path';
import type { OnRead } from '../../client/site-client.ts';
import type { Config, SourceConfig } from '../../config/config.ts';
import { AppError } from '../../error.ts';
import { redact } from '../../redact.ts';
import {
  bodyLimits,
  fetchFeed,
  NO_VALIDATORS,
  openFeedHttp,
  userAgent,
  type FetchResult,
} from '../../run/fetch/fetch-feed.ts';
import { plainSettings } from '../../run/discover/plain-settings.ts';
import { adviceOn } from '../../run/discover/refusals.ts';
import { feedsBehind } from '../../ical/read/web-page.ts';
import type { FeedParser } from '../../run/parse/parse-pool.ts';
import { previewFeed, type FeedPreview } from '../../run/parse/preview-feed.ts';
import type { FormatName } from '../../sync/formats/format-kinds.ts';
import type { DraftSettings, FeedReading } from '../../sync/model/draft.ts';
import { previewOf, type PreviewEvent } from '../../sync/drafts/preview.ts';
import { dayAfter, instantFromWall, isDay, isoFromInstant, wallFromInstant } from '../../time.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { whileWorking } from '../progress/working.ts';
import { EXIT, printJson, type ExitCode, type Io } from '../terminal/io.ts';
import { howToAdd, suggestedFor, type ReadPreview } from '../preview/how-to-add.ts';
import { openParser } from '../open/open-parser.ts';
import { timezoneOf } from '../open/open-sites.ts';
import { draftSettings, authOf } from '../open/source-setup.ts';
import { VERSION } from '../terminal/version.ts';
import { printLines, printTable, screenOf } from '../terminal/screen.ts';
import type { Line } from '../text/table.ts';
import { timeColumn } from '../text/time-column.ts';
import { knownNames } from '../text/unknown-name.ts';
import { problemInWords } from '../terminal/words.ts';
import { writeFeedReport } from '../preview/write-feed-report.ts';
import { WrongUse } from '../terminal/wrong-use.ts';
import { countInWords, grouped } from '../../count-in-words.ts';

/**
 * `preview URL|FILE|SOURCE`: shows what a feed would become. Stores nothing, and asks the site only for its time zone
 * if a source has none.
 */
export const command = commandOf({
  group: 'Start and check',
  usage: 'preview <address>',
  description: 'what a feed would become: an address, a file, or a source of the configuration',
  example: 'preview https://town.example/events.ics --from 2027-01-01',
  options: [
    [
      '--report <file>',
      "write a page for the feed's publisher: what is wrong, where, and how to fix it (JSON with --json, or where the name ends in .json)",
    ],
    ['--from <date>', 'the first day, such as 2027-01-31'],
    ['--to <date>', 'the last day'],
    ['--all', 'also what rules, a CLASS or a STATUS leave out'],
  ],
  act: preview,
});

type FeedCall = Call<readonly [feed: string]>;

/** Not an address, and unlikely to be a file name. */
const IS_BARE_NAME = /^[^.:/\\]+$/;

async function preview(call: FeedCall): Promise<ExitCode> {
  const {
    io,
    config,
    args: [feed],
  } = call;
  refuseUnreadable(feed);
  const source = config.sources.find(({ name }) => name === feed);
  if (!source && IS_BARE_NAME.test(feed) && !existsSync(feed))
    throw new WrongUse(
      `There is neither a source nor a file "${feed}". ${knownNames(
        feed,
        config.sources.map(({ name }) => name),
        'The sources are',
      )}`,
    );
  const url = source?.url ?? feed;
  const settings = settingsFor(
    call,
    source
      ? draftSettings(source, io.now(), await zoneFor(call, source))
      : plainSettings(feed, io.now(), config.builtin.timezone),
  );
  const parser = openParser(io);
  try {
    const found = await whileWorking(io, 'reading the feed', async ({ tell }) => {
      const fetched = await fetchOnce(config, url, source ? authOf(source) : undefined, source === undefined, tell);
      tell({ doing: 'its events' });
      return previewFeed(url, fetched, telling(parser, tell), source?.format, settings);
    });
    if (typeof call.options['report'] === 'string') await report(call, settings, url, call.options['report'], found);
    return tell(call, settings, found, source !== undefined);
  } finally {
    await parser.close();
  }
}

/** Throws WrongUse for text that is neither an address feeds can be read from nor a file name. */
function refuseUnreadable(feed: string): void {
  if (feed === '') throw new WrongUse('Name an address, a file or a source: the argument is empty.');
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(feed) ?? [];
  if (scheme !== undefined && !/^(?:https?|webcals?|file)$/i.test(scheme))
    throw new WrongUse(`Feeds are read over https:, http: and webcal:, and from files, not over ${scheme}: ${feed}`);
}

/** The parser, reporting its progress. */
const telling = ({ parse }: FeedParser, tell: OnRead): Pick<FeedParser, 'parse'> => ({
  parse: (input) => parse(input, (read) => tell({ ...read, unit: 'events' })),
});

/** The zone in which a sync of the source reads times that have none. */
async function zoneFor({ io, config }: Call, source: SourceConfig): Promise<string> {
  if (source.drafts.timezone !== undefined) return source.drafts.timezone;
  const site = config.sites[source.site];
  if (!site) return config.builtin.timezone;
  return whileWorking(io, 'asking the site for its zone', ({ waits }) => timezoneOf(site, config, waits)).catch(
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      io.err(
        `Note: ${site.url} does not say its time zone. Times without a zone are shown in UTC here; ` +
          `a sync reads them in the site's zone. (${redact(error.message)})\n`,
      );
      return 'UTC';
    },
  );
}

async function report(
  { io, options }: Call,
  settings: DraftSettings,
  address: string,
  file: string,
  found: FeedPreview,
): Promise<void> {
  const isWritten = await writeFeedReport(file, options.json === true, {
    address,
    now: io.now(),
    window: daysOf(settings),
    found,
  });
  io.err(
    isWritten
      ? `The report for the publisher is in ${file}.\n`
      : 'There is no report: this is not something the publisher can fix.\n',
  );
}

/** The first and last day of the window, in its zone. */
function daysOf({ window: { from, to }, timezone, siteTimezone }: DraftSettings): { from: string; to: string } {
  const day = (instant: number): string => dayOf(instant, timezone ?? siteTimezone);
  return { from: day(from), to: day(to - 1) };
}

async function fetchOnce(
  config: Config,
  url: string,
  auth: ReturnType<typeof authOf>,
  isTrusted: boolean,
  onRead: OnRead,
): Promise<FetchResult> {
  const http = openFeedHttp(config.fetch.allowAddresses);
  try {
    const files = { base: isTrusted ? process.cwd() : path.dirname(config.file), directories: config.fetch.allowFiles };
    return await fetchFeed({ url, isTrusted, ...(auth === undefined ? {} : { auth }) }, NO_VALIDATORS, {
      http,
      userAgent: userAgent(VERSION, config.fetch.contact),
      files,
      limits: bodyLimits(config.fetch.bytesMax),
      onRead,
    });
  } finally {
    await http.close();
  }
}

const RULED_MAX = 100;

function settingsFor({ options }: Call, settings: DraftSettings): DraftSettings {
  const zone = settings.timezone ?? settings.siteTimezone;
  const { from: first, to: last, all } = options;
  const from = typeof first === 'string' ? dayStart('--from', first, zone) : settings.window.from;
  // Includes the last day, however long it is.
  const to = typeof last === 'string' ? dayStart('--to', last, zone, 1) : settings.window.to;
  if (from >= to)
    throw new WrongUse(
      `The window ends before it begins: it is from ${dayOf(from, zone)} to ${dayOf(to - 1, zone)}. ` +
        'Give --from an earlier day, or --to a later one.',
    );
  return { ...settings, window: { from, to }, everything: all === true };
}

/** The instant when a day begins, or one some days later. */
function dayStart(option: string, day: string, zone: string, later = 0): number {
  if (!isDay(day)) throw new WrongUse(`${option} takes a day such as 2027-01-31, not "${day}".`);
  return instantFromWall(`${dayAfter(day, later)} 00:00:00`, zone);
}

const dayOf = (instant: number, zone: string): string => wallFromInstant(instant, zone).slice(0, 10);

function tell(call: FeedCall, settings: DraftSettings, found: FeedPreview, isConfigured: boolean): ExitCode {
  const {
    io,
    config,
    options,
    args: [feed],
  } = call;
  const window = { from: isoFromInstant(settings.window.from), to: isoFromInstant(settings.window.to) };
  if (found.kind === 'failed') return tellFailure(call, found, isConfigured, window);
  const { reading, profile, format } = found;
  const timezone = settings.timezone ?? found.timezone ?? settings.siteTimezone;
  const events = reading.drafts.map(previewOf).toSorted(byStart);
  const source = { url: feed, format, ...(settings.timezone === undefined ? {} : { timezone: settings.timezone }) };
  if (options.json)
    printJson(io, {
      profile,
      timezone,
      window,
      events,
      problems: reading.problems,
      source,
      quirks: found.quirks,
      rules: rulesIn(reading),
      coming: reading.drafts.filter(({ endsAt }) => endsAt > io.now()).length,
      suggested: isConfigured ? null : suggestedFor(config, feed, found),
    });
  else tellEvents(io, events, found, { feed: timezone, shown: settings.siteTimezone, ...daysOf(settings) });
  if (!options.json && !isConfigured) io.out(howToAdd(config, feed, found));
  return EXIT.done;
}

function tellFailure(
  { io, options, args: [feed] }: FeedCall,
  { problem, body }: Extract<FeedPreview, { kind: 'failed' }>,
  isConfigured: boolean,
  window: { readonly from: string; readonly to: string },
): ExitCode {
  const advice = adviceOn(problem.code, feed) ?? null;
  const none = { profile: null, timezone: null, window, events: [], source: null };
  if (options.json)
    printJson(io, { ...none, problems: [problem], feeds: body ? feedsBehind(body.text, feed) : [], advice });
  // The advice is for people who have only an address; messages about configured sources include their own.
  else io.err(`${problemInWords(problem)}${isConfigured || advice === null ? '' : ` ${advice}`}\n`);
  return EXIT.failed;
}

function byStart(one: PreviewEvent, other: PreviewEvent): number {
  if (one.start === other.start) return 0;
  return one.start < other.start ? -1 : 1;
}

/** The rules of the source that changed or left out each event. */
const rulesIn = ({
  drafts,
  excluded,
}: FeedReading): readonly {
  uid: string | null;
  recurrence_id: string | null;
  title: string;
  rules: readonly string[];
}[] =>
  [
    ...drafts.map(({ rungs, uid, fields, rules = [] }) => ({
      uid: uid ?? rungs.uid,
      recurrence_id: rungs.recurrenceId,
      title: fields.title,
      rules,
    })),
    ...excluded.map(({ rungs, uid, title, because }) => ({
      uid: uid ?? rungs.uid,
      recurrence_id: rungs.recurrenceId,
      title,
      rules: [because],
    })),
  ].filter(({ rules }) => rules.length > 0);

/** The same in words, where dates of a series with the same changes share a line. */
function rulesInWords(reading: FeedReading): readonly string[] {
  const said = rulesIn(reading).map(({ title, rules }) => ({ title, what: rules.join('; ') }));
  const alike = [...Map.groupBy(said, ({ title, what }) => `${title}\n${what}`).values()].map(([first, ...others]) => {
    const dates = others.length === 0 ? '' : ` (${grouped(others.length + 1)} dates)`;
    return `  ~ ${first?.title ?? ''}${dates}: ${first?.what ?? ''}`;
  });
  const more = alike.length - RULED_MAX;
  return more > 0 ? [...alike.slice(0, RULED_MAX), `  ~ and ${grouped(more)} more (--json shows all)`] : alike;
}

/** Formats that never name the program which made them. */
const NAMELESS: Readonly<Partial<Record<FormatName, string>>> = { csv: 'A table' };

interface Shown {
  /** The zone for the feed's times that have none, and the zone in which all times are shown. */
  readonly feed: string;
  readonly shown: string;
  readonly from: string;
  readonly to: string;
}

function tellEvents(
  io: Io,
  events: readonly PreviewEvent[],
  { reading, profile, format, quirks }: ReadPreview,
  { feed, shown, from, to }: Shown,
): void {
  const when = timeColumn('begins', [shown], () => shown, screenOf(io));
  printLines(io, [
    `${profile ?? NAMELESS[format] ?? 'A feed that does not name its program'}, times in ${feed} unless it says otherwise; shown in ${shown}, ${from} to ${to}`,
    ...quirks.map(({ does, here }) => `  (${does}: ${here})`),
  ]);
  printTable(io, {
    indent: 2,
    headings: [when.heading, 'event', 'where'],
    rows: events.map(({ all_day: isAllDay, start, title, status, venue }) => ({
      cells: [
        isAllDay ? start : when.cell(shown, new Date(start)),
        `${title}${status === 'confirmed' ? '' : ` (${status})`}`,
        venue ?? '',
      ],
    })),
  });
  printLines(io, [
    `${countInWords(events.length, 'event')}${reading.excluded.length > 0 ? `, ${grouped(reading.excluded.length)} left out (--all shows them)` : ''}`,
    ...rulesInWords(reading),
    ...reading.problems.map((problem): Line => ({ text: `  ! ${problemInWords(problem)}`, style: 'bad' })),
  ]);
}
