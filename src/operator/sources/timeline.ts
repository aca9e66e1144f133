import { inQuotes } from '../../look/words/in-quotes.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import type { Act, ActKind } from '../../run/watch/acts.ts';
import { actInWords } from '../../run/watch/acts.ts';
import type { Happening, RunInHistory } from '../../run/watch/history.ts';
import type { MessageSent } from '../../run/deliveries/deliveries.ts';
import type { SoftwareChange } from '../../run/state/readings.ts';
import { dayOfMoment } from '../../run/watch/moments.ts';
import { reasonOf } from '../../run/watch/state-in-words.ts';
import { delta, linkTo } from '../frame/parts.ts';
import { icon, sign, type Icon, type Sign } from '../frame/sprite.ts';
import { moment } from '../frame/times.ts';
import type { Asked } from '../frame/operator.ts';
import { messageHtml } from './message-html.ts';
import { runPath } from './paths.ts';
import { shortened } from '../../html/shortened.ts';

/** Consecutive runs with the same result, an act of a person, or a message, an upgrade or a move. */
export type TimelineItem =
  | { readonly kind: 'runs'; readonly runs: readonly RunInHistory[] }
  | ActItem
  | Extract<Happening, { readonly kind: 'message' | 'software' | 'moved' }>;

interface ActItem {
  readonly kind: 'act';
  readonly act: Act;
  readonly run?: RunInHistory;
  /** The title of the event it concerned. */
  readonly title?: string;
  /** The last act that the run belongs to, if that is a later one: the result stands there. */
  readonly last?: ActKind;
}

/** Whether two runs have the same result and changed nothing. */
const sameAs = (one: RunInHistory, other: RunInHistory): boolean =>
  one.state === other.state &&
  one.why?.code === other.why?.code &&
  one.created + one.updated + one.removed + other.created + other.updated + other.removed === 0;

/**
 * Groups a history into timeline items: an act with the run it asked for, and consecutive runs with the same result as
 * one. `latest` has the newest first; `titles` are those of events, by slug.
 */
export function timelineOf(
  latest: readonly Happening[],
  titles: ReadonlyMap<string, string> = new Map(),
): readonly TimelineItem[] {
  const started = runsOfActs(latest);
  const ofActs = new Set([...started.values()].map(({ run }) => run));
  for (const each of latest) if (each.kind === 'act' && each.act.run !== null) ofActs.add(each.act.run);
  const items: TimelineItem[] = [];
  const last = lastActs(latest, started);
  for (const each of latest) {
    if (each.kind === 'act') {
      const run = started.get(each.act);
      items.push(actItem(each.act, run, titles.get(each.act.event ?? ''), last.get(run?.run)));
    } else if (each.kind !== 'run') items.push(each);
    else if (!ofActs.has(each.run.run)) addRun(items, each.run);
  }
  return items;
}

/** The latest act of each run that somebody asked for. */
function lastActs(
  latest: readonly Happening[],
  started: ReadonlyMap<Act, RunInHistory>,
): ReadonlyMap<string | undefined, Act> {
  const acts = latest.flatMap((each) => (each.kind === 'act' && started.has(each.act) ? [each.act] : []));
  return new Map(acts.toReversed().map((act) => [started.get(act)?.run, act]));
}

const actItem = (
  act: Act,
  run: RunInHistory | undefined,
  title: string | undefined,
  last: Act | undefined,
): ActItem => ({
  kind: 'act',
  act,
  ...(last && last !== act ? { last: last.kind } : {}),
  ...(run ? { run } : {}),
  ...(title === undefined ? {} : { title }),
});

/** Adds a run, merged with those before it if the result is the same. */
function addRun(items: TimelineItem[], run: RunInHistory): void {
  const before = items.at(-1);
  const [first] = before?.kind === 'runs' ? before.runs : [];
  if (before?.kind === 'runs' && first && sameAs(first, run))
    items[items.length - 1] = { kind: 'runs', runs: [...before.runs, run] };
  else items.push({ kind: 'runs', runs: [run] });
}

/**
 * The run that each act caused. A reading requested in the console is left to a worker, so its run is the first
 * requested one afterwards that belongs to no other act.
 */
function runsOfActs(latest: readonly Happening[]): ReadonlyMap<Act, RunInHistory> {
  const runs = new Map(latest.flatMap((each) => (each.kind === 'run' ? [[each.run.run, each.run] as const] : [])));
  const found = new Map<Act, RunInHistory>();
  const named = new Set(latest.flatMap((each) => (each.kind === 'act' ? (each.act.run ?? []) : [])));
  let waiting: Act | undefined;
  for (const each of latest.toReversed()) {
    if (each.kind === 'act') {
      const run = each.act.run === null ? undefined : runs.get(each.act.run);
      if (run) found.set(each.act, run);
      if (each.act.kind === 'sync' && each.act.run === null) waiting = each.act;
    }
    if (each.kind !== 'run' || !waiting || each.run.cause !== 'command' || named.has(each.run.run)) continue;
    found.set(waiting, each.run);
    waiting = undefined;
  }
  return found;
}

/** A source's timeline as an HTML list. */
export const timelineList = (items: readonly TimelineItem[], asked: Asked, zone: string): Html =>
  html`<ol class="line">
    ${items.map((item, index) => {
      const [day, before] = [item, items[index - 1]].map((each) => each && dayOfMoment(atOf(each), asked.now, zone));
      return itemRow(item, day !== before && html`<h3>${day}</h3>`, asked, zone);
    })}
  </ol>`;

function atOf(item: TimelineItem): number {
  if (item.kind === 'runs') return item.runs[0]?.at ?? 0;
  return item.kind === 'act' ? item.act.at.getTime() : item.at;
}

/** `day` is the heading, given where the day differs from that of the row above. */
function itemRow(item: TimelineItem, day: HtmlPart, asked: Asked, zone: string): Html {
  if (item.kind === 'runs') return runsRow(item.runs, day, asked, zone);
  if (item.kind === 'act') return actRow(item, day, asked, zone);
  const { picture, said } = toldOf(item);
  return html`<li>
    ${icon(picture)} ${day}
    <p>${said} <span class="dim">${moment(item.at, zone, asked.now)}</span></p>
  </li>`;
}

interface Told {
  readonly picture: Icon;
  readonly said: HtmlPart;
}

function toldOf(item: Exclude<TimelineItem, { readonly kind: 'runs' | 'act' }>): Told {
  switch (item.kind) {
    case 'message':
      return { picture: 'bell', said: messageWords(item.message) };
    case 'software':
      return { picture: 'file', said: softwareWords(item.software) };
    case 'moved':
      return { picture: 'open', said: item.message };
  }
}

const NAMED_MAX = 5;

function messageWords({ receivers, subject, isOpen }: MessageSent): Html {
  const more = receivers.length - NAMED_MAX;
  const told = `${receivers.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return html`${isOpen ? 'Not notified yet' : 'Notified'}: ${told}. ${inQuotes(subject)}`;
}

const softwareWords = ({ from, to }: SoftwareChange): Html =>
  html`The publisher’s feed is made by another program: <code>${to}</code>, before <code>${from}</code>.`;

const RUN_SIGNS: Readonly<Partial<Record<RunInHistory['state'], Sign>>> = {
  done: 'well',
  unchanged: 'well',
  failed: 'failing',
  held: 'held',
  rejected: 'held',
  superseded: 'held',
};

const RUN_WORDS: Readonly<Record<RunInHistory['state'], string>> = {
  reading: 'Being read now.',
  writing: 'Being written now.',
  done: '',
  unchanged: 'Read: nothing new.',
  held: 'A plan waits for you.',
  rejected: 'The plan was rejected; nothing of it was written.',
  superseded: 'The plan was replaced by a later one; nothing of it was written.',
  failed: 'Failed',
};

const PLANNED: ReadonlySet<RunInHistory['state']> = new Set(['held', 'rejected', 'superseded']);

const timesOf = (runs: readonly RunInHistory[]): number => runs.reduce((sum, { times }) => sum + times, 0);

function runsRow(runs: readonly RunInHistory[], day: HtmlPart, asked: Asked, zone: string): Html {
  const [latest] = runs;
  if (!latest) return html``;
  const earliest = runs.at(-1);
  const times = timesOf(runs);
  const since = earliest ? (earliest.since ?? earliest.at) : latest.at;
  const often = times > 1 && html` · ${times} times since ${moment(since, zone, asked.now)}`;
  return html`<li>
    ${sign(RUN_SIGNS[latest.state] ?? 'live')} ${day}
    <p>
      ${runWords(latest, asked)}
      <span class="dim">${moment(latest.at, zone, asked.now)}${often}</span> ${runLink(latest, asked)}
    </p>
  </li>`;
}

const runLink = ({ run }: Pick<RunInHistory, 'run'>, asked: Asked): Html =>
  html`<a href="${linkTo(asked, runPath(run))}">run<span class="vh"> ${run}</span></a>`;

/** `asked` is the page's request; `act` is what the run was for, if a person asked for it. */
function runWords(run: RunInHistory, asked: Asked, act: ActKind = 'sync'): HtmlPart {
  // A plan that was not carried out has changed nothing.
  const isDone = !PLANNED.has(run.state) && run.created + run.updated + run.removed > 0;
  const counts = isDone && delta(run.created, run.updated, run.removed);
  if (run.state === 'failed') {
    const why = run.why ? reasonOf(run.why) : 'no reason was given';
    return html`${counts} Failed: ${messageHtml(asked, why, run.site)}.`;
  }
  // Only after a sync does "unchanged" refer to the feed.
  const words = run.state === 'unchanged' && act !== 'sync' ? 'Nothing had to be written.' : RUN_WORDS[run.state];
  return html`${counts} ${words}`;
}

const ACT_ICONS: Readonly<Partial<Record<ActKind, Icon>>> = {
  undo: 'undo',
  configure: 'file',
  alert: 'bell',
  note: 'pin',
  sync: 'again',
};

/** What came of a run that a person asked for. */
function resultWords({ act, run, last }: ActItem, asked: Asked): HtmlPart {
  if (!run) return '';
  if (last === undefined) return runWords(run, asked, act.kind);
  return (last === 'approve' || last === 'reject') && 'A plan waited for a decision.';
}

function actRow(item: ActItem, day: HtmlPart, asked: Asked, zone: string): Html {
  const { act, run, title } = item;
  const at = act.at.getTime();
  const reason = act.reason !== null && html`: ${inQuotes(act.reason)}`;
  return html`<li>
    ${icon(ACT_ICONS[act.kind] ?? 'person')} ${day}
    <p>
      ${actInWords(act)}${reason}. ${detailOf(act, title)}${resultWords(item, asked)}
      <span class="dim">${moment(at, zone, asked.now)}, ${FROM_WORDS[act.by.from]}</span>
      ${run ? runLink(run, asked) : act.run !== null && runLink({ run: act.run }, asked)}
    </p>
  </li>`;
}

const FROM_WORDS = {
  console: 'in the console',
  command: 'by a command',
  mail: 'from a mail',
  file: 'in the file',
} as const;

/** Longer notes are cut; the source's page has them whole. */
const NOTE_SHOWN_MAX = 120;

/** What an act says beyond its kind. */
function detailOf({ kind, details, event }: Act, title: string | undefined): HtmlPart {
  if (kind === 'configure' && typeof details['changes'] === 'string') return `${details['changes']}. `;
  if (kind === 'note' && typeof details['text'] === 'string')
    return details['text'] === ''
      ? 'There is none any more. '
      : `${inQuotes(shortened(details['text'], NOTE_SHOWN_MAX))} `;
  if (title !== undefined) return `${inQuotes(title)} `;
  return event === null ? '' : html`<code>${event}</code> `;
}
