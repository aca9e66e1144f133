import { html, type Html, type HtmlPart } from '../../html/template.ts';
import type { Act, ActKind } from '../../run/watch/acts.ts';
import { actInWords } from '../../run/watch/acts.ts';
import type { Happening, RunInHistory } from '../../run/watch/history.ts';
import { dayOfMoment } from '../../run/watch/moments.ts';
import { reasonOf } from '../../run/watch/state-in-words.ts';
import { delta, linkTo } from '../frame/parts.ts';
import { icon, sign, type Icon, type Sign } from '../frame/sprite.ts';
import { moment } from '../frame/times.ts';
import type { Asked } from '../frame/operator.ts';
import { runPath } from './paths.ts';

/** Runs that say the same one after the other, or something that somebody did. */
export type TimelineItem =
  | { readonly kind: 'runs'; readonly runs: readonly RunInHistory[] }
  | { readonly kind: 'act'; readonly act: Act; readonly run?: RunInHistory };

/** What a run says to somebody who looks for what is different. */
const sameAs = (one: RunInHistory, other: RunInHistory): boolean =>
  one.state === other.state &&
  one.why?.code === other.why?.code &&
  one.created + one.updated + one.removed + other.created + other.updated + other.removed === 0;

/**
 * Puts together what belongs together: a run that somebody asked for stands with that, and runs that say the same are
 * one. `latest`: the latest first.
 */
export function timelineOf(latest: readonly Happening[]): readonly TimelineItem[] {
  const ofActs = new Set(
    latest.flatMap((each) => (each.kind === 'act' && each.act.run !== null ? [each.act.run] : [])),
  );
  const runs = new Map(latest.flatMap((each) => (each.kind === 'run' ? [[each.run.run, each.run] as const] : [])));
  const items: TimelineItem[] = [];
  for (const each of latest) {
    if (each.kind === 'act') {
      const run = each.act.run === null ? undefined : runs.get(each.act.run);
      items.push({ kind: 'act', act: each.act, ...(run ? { run } : {}) });
      continue;
    }
    if (ofActs.has(each.run.run)) continue;
    const before = items.at(-1);
    const [first] = before?.kind === 'runs' ? before.runs : [];
    if (before?.kind === 'runs' && first && sameAs(first, each.run))
      items[items.length - 1] = { kind: 'runs', runs: [...before.runs, each.run] };
    else items.push({ kind: 'runs', runs: [each.run] });
  }
  return items;
}

/** A source's timeline as a list. */
export const timelineList = (items: readonly TimelineItem[], asked: Asked, zone: string): Html =>
  html`<ol class="line">
    ${items.map((item) =>
      item.kind === 'act' ? actRow(item.act, item.run, asked, zone) : runsRow(item.runs, asked, zone),
    )}
  </ol>`;

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
  unchanged: 'Read well, nothing new.',
  held: 'A plan waits for you.',
  rejected: 'The plan was rejected; nothing of it was written.',
  superseded: 'The plan was overtaken by a later one; nothing of it was written.',
  failed: 'Failed',
};

const timesOf = (runs: readonly RunInHistory[]): number => runs.reduce((sum, { times }) => sum + times, 0);

function runsRow(runs: readonly RunInHistory[], asked: Asked, zone: string): Html {
  const [latest] = runs;
  if (!latest) return html``;
  const earliest = runs.at(-1);
  const times = timesOf(runs);
  const since = earliest ? (earliest.since ?? earliest.at) : latest.at;
  const often = times > 1 && html` · ${times} times since ${moment(since, zone, asked.now)}`;
  return html`<li>
    ${sign(RUN_SIGNS[latest.state] ?? 'live')}
    <h3>${dayOfMoment(latest.at, asked.now, zone)}</h3>
    <p>
      ${runWords(latest)}
      <span class="dim">${moment(latest.at, zone, asked.now)}${often}</span> ${runLink(latest, asked)}
    </p>
  </li>`;
}

const runLink = ({ run }: Pick<RunInHistory, 'run'>, asked: Asked): Html =>
  html`<a href="${linkTo(asked, runPath(run))}">run<span class="vh"> ${run}</span></a>`;

function runWords(run: RunInHistory): HtmlPart {
  const counts = run.created + run.updated + run.removed > 0 && delta(run.created, run.updated, run.removed);
  if (run.state === 'failed') {
    const why = run.why ? reasonOf(run.why) : 'no reason was given';
    return html`${counts} Failed: ${why}.`;
  }
  return html`${counts} ${RUN_WORDS[run.state]}`;
}

const ACT_ICONS: Readonly<Partial<Record<ActKind, Icon>>> = {
  undo: 'undo',
  configure: 'file',
  alert: 'bell',
  note: 'pin',
  sync: 'again',
};

function actRow(act: Act, run: RunInHistory | undefined, asked: Asked, zone: string): Html {
  const at = act.at.getTime();
  const reason = act.reason !== null && html`: “${act.reason}”`;
  return html`<li>
    ${icon(ACT_ICONS[act.kind] ?? 'person')}
    <h3>${dayOfMoment(at, asked.now, zone)}</h3>
    <p>
      ${actInWords(act)}${reason}. ${detailOf(act)}${run && runWords(run)}
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

/** What an act says besides its kind. */
function detailOf({ kind, details, event }: Act): HtmlPart {
  if (kind === 'configure' && typeof details['changes'] === 'string') return `${details['changes']}. `;
  if (kind === 'note' && typeof details['text'] === 'string')
    return details['text'] === '' ? 'There is none any more. ' : html`“${details['text'].slice(0, 120)}” `;
  return event === null ? '' : html`<code>${event}</code> `;
}
