import type { SourceConfig } from '../../config/config.ts';
import { titlesOf } from '../../run/state/ledger.ts';
import { loadFacts, type WatchedSource } from '../../run/watch/facts.ts';
import { CHART_MS, daysInNumbers, happenings, linesAround, problemsOf } from '../../run/watch/history.ts';
import { NOTE_MAX, noteOf, writeNote } from '../../run/watch/notes.ts';
import type { SourceName } from '../../run/watch/pauses.ts';
import { changedByRunAt } from '../../run/watch/recent-runs.ts';
import { actorOf } from '../frame/actor.ts';
import type { Answer, Asked, Route, Sent } from '../frame/operator.ts';
import { backTo, checkNow, pauseAsAsked, resumeNow, outcomeBanner, type ActOutcome } from './acts.ts';
import { sourcePath } from './paths.ts';
import type { Problems } from './problem-list.ts';
import { formerRoute } from './former-page.ts';
import { sourceMain } from './source-page.ts';
import { timelineOf } from './timeline.ts';

const HAPPENINGS_MAX = 60;
const TIMES = 5;

interface Found {
  readonly config: SourceConfig;
  readonly watched: WatchedSource;
}

async function found({ operator, params }: Asked): Promise<Found | undefined> {
  const { source } = params;
  const config = operator.config().sources.find(({ name }) => name === source);
  const watched = (await operator.watched()).find((each) => each.source === source);
  return config && watched && { config, watched };
}

async function showSource(asked: Asked): Promise<Answer> {
  const name = asked.params['source'] ?? '';
  const known = await found(asked);
  if (!known) return formerRoute.show(asked);
  const { config, watched } = known;
  const { now, operator } = asked;
  const query = operator.context.database.query();
  const zone = asked.zoneOf(watched.site);
  const [facts] = await loadFacts(query, [watched], now);
  if (!facts) throw new TypeError('each source has facts');
  const before = beforeIn(asked);
  const [changedAt, note, all, problems, days] = await Promise.all([
    changedByRunAt(query, watched),
    noteOf(query, watched),
    happenings(query, watched, before, HAPPENINGS_MAX),
    problemsWithLines(asked, watched),
    daysInNumbers(query, watched, now - CHART_MS, zone),
  ]);
  const first = facts.nextAt;
  const times = first === null ? [] : [first, ...watched.timesAfter(first, TIMES - 1)];
  const olderThan = all.length === HAPPENINGS_MAX ? all.at(-1)?.at : undefined;
  const named = all.flatMap((each) => (each.kind === 'act' ? (each.act.event ?? []) : []));
  const timeline = timelineOf(all, await titlesOf(query, watched.site, named));
  const main = sourceMain(
    { config, facts, changedAt, note, timeline, olderThan, problems, days, times, said: outcomeBanner(asked) },
    asked,
  );
  return { title: name, place: 'sources', main, live: [`page:${name}`] };
}

/** The moment before which the timeline is shown; undefined to show the latest part. */
function beforeIn({ url }: Asked): number | undefined {
  const [text] = /^\d{1,14}$/.exec(url.searchParams.get('before') ?? '') ?? [];
  return text === undefined ? undefined : Number(text);
}

async function problemsWithLines({ operator }: Asked, source: SourceName): Promise<Problems | undefined> {
  const query = operator.context.database.query();
  const found = await problemsOf(query, source);
  if (!found) return undefined;
  const numbers = found.kinds.flatMap(({ example }) => example.line ?? []);
  return { ...found, lines: await linesAround(query, source, numbers) };
}

type Doing = (asked: Asked, name: string, sent: Sent) => Promise<ActOutcome>;

const withSource =
  (doing: Doing) =>
  async (asked: Asked, sent: Sent): Promise<Answer> => {
    const name = asked.params['source'] ?? '';
    return (await found(asked)) ? backTo(sourcePath(name), await doing(asked, name, sent)) : showSource(asked);
  };

async function keepNote(asked: Asked, name: string, sent: Sent): Promise<ActOutcome> {
  const text = sent.field('note');
  if (text.trim().length > NOTE_MAX) return ['note-long', 0];
  const setup = asked.operator.context.sources.get(name);
  if (!setup) return ['none', 0];
  await writeNote(
    asked.operator.context.database.query(),
    { site: setup.site.key, source: name },
    text,
    actorOf(asked),
  );
  return ['noted', 1];
}

export const sourceRoute: Route = {
  path: '/sources/:source/',
  show: showSource,
  acts: {
    check: withSource((asked, name) => checkNow(asked, [name])),
    pause: withSource((asked, name, sent) => pauseAsAsked(asked, sent, [name])),
    resume: withSource((asked, name) => resumeNow(asked, [name])),
    note: withSource(keepNote),
  },
};
