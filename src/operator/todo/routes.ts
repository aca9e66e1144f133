import { html, type Html } from '../../html/template.ts';
import { listActs, type ActKind } from '../../run/watch/acts.ts';
import { matterInWords } from '../../run/watch/matters-in-words.ts';
import type { Matter } from '../../run/watch/matters.ts';
import { daysOfSources, runsSince } from '../../run/watch/recent-runs.ts';
import { snooze, endSnooze } from '../../run/watch/snoozes.ts';
import { DAY_MS } from '../../time.ts';
import type { Asked, Page, Route, Sent } from '../frame/operator.ts';
import { banner } from '../frame/parts.ts';
import { snoozeUntil } from '../frame/times.ts';
import { mattersFor, overviewOf } from '../sources/overview.ts';
import { backTo, checkNow, outcomeBanner } from '../sources/acts.ts';
import { heldPicture } from '../runs/held-picture.ts';
import { newsNote, putNewsAway } from './news-note.ts';
import { failingSources, todoMain } from './todo-page.ts';
import { welcomeMain } from './welcome-page.ts';

const TOLD_MAX = 8;
const DECISIONS: ReadonlySet<ActKind> = new Set(['approve', 'reject', 'settle', 'undo', 'restore', 'resume']);
const ACTS_LOOKED_AT = 50;

/** Messages of acts that return to this page. */
const SAID: Readonly<Record<string, string>> = {
  later: 'Put off. It is in the section below, and comes back automatically.',
  awake: 'It waits for you again.',
};

async function showTodo(asked: Asked): Promise<Page> {
  const { operator, now, person, url } = asked;
  if (operator.config().sources.length === 0 && !(await isToReview(asked)))
    return { title: 'Welcome', place: 'todo', main: welcomeMain(asked) };
  const query = operator.context.database.query();
  const [sorted, { facts, general }, day, acts] = await Promise.all([
    mattersFor(asked, person),
    overviewOf(asked),
    daysOfSources(query, now - DAY_MS, TOLD_MAX),
    listActs(query, {}, ACTS_LOOKED_AT),
  ]);
  const marks = await runsSince(query, day.told, now - DAY_MS);
  const picture = await pictureOf(sorted.waiting[0], asked);
  const name = url.searchParams.get('said') ?? '';
  const said = Object.hasOwn(SAID, name) ? banner('good', html`<p>${SAID[name]}</p>`, true) : outcomeBanner(asked);
  const lastDecision = acts.find(({ kind }) => DECISIONS.has(kind));
  const note = await newsNote(asked);
  const main = html`${note}${todoMain({ sorted, general, facts, day, marks, lastDecision, picture, said }, asked)}`;
  return { title: 'To do', place: 'todo', main, live: ['page'] };
}

/** A calendar whose events are all written by hand has no source, but may have events to review. */
const isToReview = async (asked: Asked): Promise<boolean> =>
  (await overviewOf(asked)).general.some(({ kind }) => kind === 'handed-in' || kind === 'suggestions');

/** The picture of a held plan that comes first, if events are gone from its feed. */
async function pictureOf(first: Matter | undefined, asked: Asked): Promise<Html | false> {
  if (first?.kind !== 'held' || !first.facts.held || !first.gone) return false;
  const { consequence } = matterInWords(first, { now: asked.now, zone: asked.zoneOf(first.site) });
  return heldPicture(asked, first.facts.held.run, consequence);
}

async function putOff(asked: Asked, sent: Sent): Promise<{ readonly to: string }> {
  const { operator, person, now } = asked;
  const { matters } = await overviewOf(asked);
  const matter = matters.find(({ key }) => key === sent.field('matter'));
  if (!matter) return backTo('/', ['not-put-off', 0]);
  const until = snoozeUntil(sent.field('until'), now, asked.zoneOf(matter.site));
  await snooze(operator.context.database.query(), person.login, matter, until);
  return { to: '/?said=later' };
}

async function takeUp({ operator, person }: Asked, sent: Sent): Promise<{ readonly to: string }> {
  await endSnooze(operator.context.database.query(), person.login, sent.field('matter'));
  return { to: '/?said=awake' };
}

async function checkFailing(asked: Asked): Promise<{ readonly to: string }> {
  const { facts } = await overviewOf(asked);
  const names = failingSources(facts, asked.now);
  return backTo('/', names.length === 0 ? ['none-fails', 0] : await checkNow(asked, names));
}

export const routes: readonly Route[] = [
  {
    path: '/',
    show: showTodo,
    acts: { later: putOff, wake: takeUp, 'check-failing': checkFailing, read: putNewsAway },
  },
];
