import { inQuotes } from '../../look/words/in-quotes.ts';
import { messageHtml } from '../sources/message-html.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { countInWords } from '../../count-in-words.ts';
import { answersTo, type Answer } from '../../sync/review/answers.ts';
import type { FeedDifference, LineChange } from '../../sync/review/feed-difference.ts';
import { planDifferenceInWords } from '../../sync/review/plan-difference.ts';
import {
  IF_NOTHING_IS_DONE,
  reviewTitle,
  whatVisitorsNotice,
  whyHeld,
  type Reader,
} from '../../sync/review/review-in-words.ts';
import { monthInWords } from '../../sync/review/days.ts';
import { plainText, type EmphasizedText } from '../../sync/review/emphasized-text.ts';
import { undoneBy } from '../../run/state/causes.ts';
import type { Act } from '../../run/watch/acts.ts';
import { marked } from '../frame/marked.ts';
import { banner, crumbs, head, linkTo } from '../frame/parts.ts';
import { sign } from '../frame/sprite.ts';
import { moment } from '../frame/times.ts';
import type { Asked, Page } from '../frame/operator.ts';
import { eventsPath, feedsPath, runPath, sourcePath } from '../sources/paths.ts';
import { patternPicture } from './pattern-picture.ts';
import { reviewForm } from './review-form.ts';
import type { ReviewData } from './review-data.ts';
import { runProblems } from './run-problems.ts';
import { formerFeedNote } from './run-words.ts';
import { countedBy, type ReviewFilter } from './review-filter.ts';

/** How a review is shown. */
export interface ReviewShown {
  readonly except: ReadonlySet<string>;
  readonly page: number;
  readonly filter: ReviewFilter;
  /** The decisions made about it, if any. */
  readonly acts: readonly Act[];
}

/** The page where a person decides about a held run, or sees the decision. */
export function reviewPage(asked: Asked, data: ReviewData, shown: ReviewShown): Page {
  const { run, review } = data;
  const reader: Reader = { source: run.source, now: asked.now, zone: data.zone, undoes: undoneBy(run.cause) };
  // An undo is not held because of the feed.
  const isUndo = run.cause.kind === 'undo';
  const isOpen = run.state === 'held';
  const waits = isOpen ? ' waits for a decision' : '';
  const title = isUndo ? `Taking back a run of ${run.source}${waits}` : reviewTitle(review, reader);
  const main = html`${crumbs(asked, [
      ['/', 'To do'],
      [sourcePath(run.source), run.source],
    ])}${standing(asked, data, shown.acts)}${head(title, heldSince(asked, data))}
    <div class="stack-5">
      ${caseBox(asked, data, reader)}${besides(asked, data)}${
        isOpen && !isUndo && answers(asked, data, reader)
      }${reviewForm(asked, data, { ...shown, isClosed: !isOpen })}
    </div>`;
  return {
    title,
    place: 'todo',
    main,
    isReview: isOpen,
    ...(isOpen ? { live: [`held:${run.run}`] } : {}),
  };
}

function heldSince(asked: Asked, { run, zone }: ReviewData): Html {
  const since = (run.finishedAt ?? run.startedAt).getTime();
  return html`Held since ${moment(since, zone, asked.now)}. Nothing ${run.state === 'held' ? 'has been' : 'was'}
  written.`;
}

/** A parameter that says the user was about to decide on an earlier plan, which this one has superseded. */
export const PLAN_SUPERSEDED = 'anew';

const anewNote = ({ url: { searchParams } }: Asked): Html | false =>
  searchParams.get('said') === PLAN_SUPERSEDED &&
  banner(
    'warn',
    html`<p>
      <b>Nothing was decided: the plan that you looked at is out of date.</b> A later run has made this one.
      ${searchParams.has('except') && 'What you have unticked is unticked here, too.'}
    </p>`,
    true,
  );

/** What has become of the plan. While it waits, a hidden note that the live channel can reveal. */
function standing(asked: Asked, { run, difference, zone }: ReviewData, acts: readonly Act[]): HtmlPart {
  if (run.state === 'held') {
    const reload = html`<a class="btn go" href="${linkTo(asked, runPath(run.run))}">See what has become of it</a>`;
    return html`${anewNote(asked)}
      <div class="banner warn" data-superseded role="status" hidden>
        ${sign('late')}
        <div class="stack">
          <p><b>This plan is out of date.</b> The feed has changed, or somebody has decided in the meantime.</p>
          <p>${reload}</p>
        </div>
      </div>`;
  }
  if (run.state === 'superseded' && run.supersededBy !== null)
    return banner(
      'warn',
      html`<p>
          <b>This plan is out of date: a later run has made a new one.</b>
          ${difference && planDifferenceInWords(difference)}
        </p>
        <p><a class="btn go" href="${linkTo(asked, runPath(run.supersededBy))}">Go to the new plan</a></p>`,
      true,
    );
  if (run.state === 'superseded')
    return banner('warn', html`<p><b>This plan is out of date: a later run has taken its place.</b></p>`, true);
  const rejected = acts.findLast(({ kind }) => kind === 'reject');
  return banner(
    'info',
    html`<p>
        <b
          >This plan was
          rejected${rejected && html` by ${rejected.by.name}, ${moment(rejected.at.getTime(), zone, asked.now)}`}.</b
        >
        Nothing of it was written. Nobody is asked again until the feed changes.
      </p>
      ${rejected?.reason && html`<p>${inQuotes(rejected.reason)}</p>`}`,
    true,
  );
}

const said = (asked: Asked, sentence: EmphasizedText, site: string): Html =>
  html`${sentence.map((piece) => (typeof piece === 'string' ? messageHtml(asked, piece, site) : html`<b>${piece.strong}</b>`))}`;

function caseBox(asked: Asked, data: ReviewData, reader: Reader): Html {
  const { review, facts, today, run } = data;
  const why = whyHeld(review, reader);
  // Plans of older versions store no reasons, only a message.
  const sentence =
    why.length > 0 ? said(asked, why, run.site) : messageHtml(asked, run.report?.problems[0]?.message ?? '', run.site);
  const picture = patternPicture(facts, review.gone.pattern, today, plainText(why));
  const notices = whatVisitorsNotice(review, reader);
  return html`<section class="box stack-4" aria-labelledby="why">
    <h2 id="why" class="vh">Why it is held</h2>
    <div class="case">
      <div class="stack">
        <p class="say">${sentence}</p>
        ${picture} ${run.state === 'held' && html`<p><b>If you do nothing,</b> ${IF_NOTHING_IS_DONE}</p>`}
      </div>
      <div class="stack-4">
        ${review.difference && feedLines(asked, data, review.difference)}
        <div class="stack">
          <h3>What visitors would notice</h3>
          ${notices.map((each) => html`<p>${said(asked, each, run.site)}</p>`)}${run.state === 'held' && monthsOfRemovals(asked, data)}
        </div>
      </div>
    </div>
  </section>`;
}

/** The run's other messages, besides why it is held. Plans of older versions have no separate reasons. */
const besides = (asked: Asked, { review, run }: ReviewData): HtmlPart =>
  review.reasons.length > 0 &&
  runProblems(
    asked,
    'What else there is to say',
    (run.report?.problems ?? []).filter(({ code }) => code !== 'held'),
    run.site,
  );

function feedLines(asked: Asked, { run, review, zone }: ReviewData, difference: FeedDifference): Html {
  const { lines, changed, gone, come, stamps } = difference;
  const more = changed + gone + come - lines.length;
  const rest = [
    ...(more > 0 ? [`${countInWords(more, 'other line')} ${more === 1 ? 'is' : 'are'} new, gone or different.`] : []),
    ...(stamps > 0 ? [`${countInWords(stamps, 'stamp')} of time differ${stamps === 1 ? 's' : ''}, too.`] : []),
  ].join(' ');
  return html`<div class="stack">
    <h3>What changed in the feed itself</h3>
    ${
      lines.length > 0 &&
      html`<pre class="code" tabindex="0" role="region" aria-label="Lines of the feed, before and after">
${lines.map((line, index) => html`${index > 0 && '\n'}${feedLine(line)}`)}</pre>`
    }
    <p class="small dim">
      ${lines.length === 0 ? noLineDiffers(stamps) : rest}
      ${review.formerAt !== undefined && formerFeedNote(review.formerAt, zone, asked.now)}
      ${run.state === 'held' && html`<a href="${linkTo(asked, feedsPath(run.run))}">Both feeds side by side</a>`}
    </p>
  </div>`;
}

const noLineDiffers = (stamps: number): string =>
  `Nothing${stamps > 0 ? ' but stamps of time' : ''}: its lines are as they were.`;

function feedLine({ line, before, after }: LineChange): Html {
  const number = html`<span class="ln">${line}</span>`;
  if (before === null) return html`${number}<ins class="plus">${after}</ins>`;
  if (after === null) return html`${number}<del>${before}</del>`;
  return html`${number}${marked(before, after, {
    isCode: true,
    cut: ({ kind, text }, { isFirst }) => (isFirst && kind === 'same' ? foldedAt(text) : text),
  })}`;
}

/** Longer beginnings would push the difference out of sight. */
const BEGINNING_MAX = 22;

/** Breaks the beginning of a line, as calendars fold theirs, so that the difference is visible beside it. */
function foldedAt(text: string): string {
  const at = Math.max(text.lastIndexOf(';'), text.lastIndexOf(':'), text.lastIndexOf(',')) + 1;
  return text.length > BEGINNING_MAX && at > 0 ? `${text.slice(0, at)}\n       ${text.slice(at)}` : text;
}

/** More months than anyone looks through. */
const MONTHS_MAX = 12;

/** How many events each month would lose, in order. */
function removalsByMonth({ listed }: ReviewData): readonly (readonly [month: string, count: number])[] {
  const removed = countedBy(
    listed.filter(({ group, facts }) => group === 'remove' && facts.start !== ''),
    'month',
  );
  return [...removed].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const monthHref = (asked: Asked, { run }: ReviewData, month: string): string =>
  linkTo(asked, `${eventsPath(run.source)}&view=month&month=${month}`);

/** Links to the calendar of each month that would lose events, where they are struck through. */
function monthsOfRemovals(asked: Asked, data: ReviewData): HtmlPart {
  const months = removalsByMonth(data);
  const more = months.length - MONTHS_MAX;
  return (
    months.length > 0 &&
    html`<p>
      In the calendar, struck through:
      ${months
        .slice(0, MONTHS_MAX)
        .map(
          ([month, count], index) =>
            html`${index > 0 && ', '}<a href="${monthHref(asked, data, month)}">${monthInWords(month, data.today)}</a>
              (${count})`,
        )}${more > 0 && ` and ${countInWords(more, 'month')} more`}.
    </p>`
  );
}

function answers(asked: Asked, data: ReviewData, reader: Reader): Html {
  const [first] = removalsByMonth(data);
  const month =
    first &&
    html`<a class="btn" href="${monthHref(asked, data, first[0])}">Show ${monthInWords(first[0], data.today)}</a>`;
  return html`<section aria-labelledby="what">
    <h2 id="what">What to do</h2>
    <div class="thirds">
      ${answersTo(data.review, reader).map((answer) =>
        answerBox(asked, answer, reader, answer.act === 'later' && month),
      )}
    </div>
  </section>`;
}

const BUTTONS: Readonly<Record<Answer['act'], string>> = {
  reject: 'Reject, below',
  approve: 'Approve, below',
  later: 'Look at the list',
  adopt: 'Take them over…',
};

function hrefOf(asked: Asked, { act }: Answer, { source }: Reader): string {
  if (act === 'adopt') return linkTo(asked, `/adopt/?source=${encodeURIComponent(source)}`);
  return act === 'later' ? '#list' : '#foot';
}

function answerBox(asked: Asked, answer: Answer, reader: Reader, more: HtmlPart): Html {
  const { act, isLikely, title, text } = answer;
  return html`<div class="answer${isLikely && ' likely'}">
    ${isLikely && html`<span><span class="tag">most likely</span></span>`}
    <h3>${title}</h3>
    <p>${text}</p>
    <div class="row">
      <a class="btn${isLikely && ' go'}" href="${hrefOf(asked, answer, reader)}">${BUTTONS[act]}</a>${more}
    </div>
  </div>`;
}
