import { inQuotes } from '../../look/words/in-quotes.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import { GROUPS, type Group } from '../../sync/review/review.ts';
import { clocksOf } from '../events/event-clock.ts';
import { button, form, head, linkHere, linkTo } from '../frame/parts.ts';
import { moment } from '../frame/times.ts';
import { REASON_MAX } from '../frame/actor.ts';
import type { Asked, Page } from '../frame/operator.ts';
import { runPath } from '../sources/paths.ts';
import { countsText, type ReviewChoices } from './review-choices.ts';
import { whenInWords } from './field-values.ts';
import { countsExcept, type ListedAction, type ReviewData } from './review-data.ts';
import { filtered, filterFields } from './review-filter.ts';
import { pageOf, reviewList, ROWS_MAX, type ListOptions } from './review-list.ts';
import { crumbsOfPlan } from './run-words.ts';

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}" />`;

/** The events with their checkboxes, and the bar at the foot with the decision. */
export function reviewForm(asked: Asked, data: ReviewData, options: ListOptions): Html {
  const { listed } = data;
  const { page, except, isClosed, filter } = options;
  const found = filtered(data, filter);
  const pages = Math.ceil(found.length / ROWS_MAX);
  const here = pageOf(found, page).map(({ action }) => action.slug);
  const elsewhere = [...except].filter((slug) => !here.includes(slug));
  const fields = filterFields(data, filter, isClosed);
  const content = html`<div class="stack">
      <h2>${allEvents(listed.length)}</h2>
      ${isClosed ? html`<form method="get">${fields}</form>` : fields}
      ${found.length < listed.length && leftOut(found.length, listed.length)}
    </div>
    ${
      !isClosed && [
        hidden('page', String(page)),
        hidden('only', filter.only),
        hidden('shown', here.join(' ')),
        elsewhere.map((slug) => hidden('except', slug)),
      ]
    }${reviewList(asked, data, options, found)}${
      pages > 1 && (isClosed ? pageLinks(asked, page, pages) : pageButtons(page, pages))
    }${isClosed ? closedBar(asked, data) : bar(asked, data, options, here.length === listed.length)}`;
  // There is nothing to send if nothing can be decided.
  return isClosed
    ? html`<div id="list">${content}</div>`
    : html`<div data-review data-decide>${form(asked, content, { path: runPath(data.run.run), id: 'list' })}</div>`;
}

const allEvents = (count: number): string =>
  count === 1 ? 'The one event of this plan' : `All ${grouped(count)} events of this plan`;

const leftOut = (found: number, all: number): Html =>
  html`<p class="small dim" role="status">
    ${found === 0 ? 'None of them is like that.' : `${found} of ${all} are shown.`} What is decided below is about all.
  </p>`;

function pageLinks(asked: Asked, page: number, pages: number): Html {
  const link = (to: number, text: string): Html => {
    const query = new URLSearchParams(asked.url.searchParams);
    query.set('page', String(to));
    return html`<a class="btn" href="${linkHere(asked, query)}">${text}</a>`;
  };
  return html`<nav class="row" aria-label="Pages of the list">
    ${page > 0 && link(page - 1, '‹ Before')}<span class="dim">page ${page + 1} of ${pages}</span>${
      page + 1 < pages && link(page + 1, 'More ›')
    }
  </nav>`;
}

function pageButtons(page: number, pages: number): Html {
  return html`<p class="row">
    ${page > 0 && button('before', '‹ Before')}<span class="dim"
      >page ${page + 1} of ${pages}; what is not ticked is kept</span
    >${page + 1 < pages && button('more', 'More ›')}
  </p>`;
}

const COUNTED: Readonly<Record<Group, readonly [one: string, many: string]>> = {
  remove: ['removal', 'removals'],
  move: ['move', 'moves'],
  change: ['change', 'changes'],
  new: ['new', 'new'],
};

/**
 * With `isCounting`, a script counts the ticks, because all of them are on this page. Otherwise the form sends the
 * numbers shown, which are outdated after a change of ticks, and then has to be confirmed.
 */
function bar(asked: Asked, { run, listed, zone }: ReviewData, { except }: ListOptions, isCounting: boolean): Html {
  const [all, counts] = [countsExcept(listed, new Set()), countsExcept(listed, except)];
  const told = GROUPS.filter((group) => all[group] > 0);
  const number = (group: Group): HtmlPart =>
    isCounting
      ? html`<span data-n="${group}" data-of>${ofAll(counts[group], all[group])}</span>`
      : ofAll(counts[group], all[group]);
  const plain = (group: Group): HtmlPart =>
    isCounting ? html`<span data-n="${group}">${counts[group]}</span>` : counts[group];
  const since = moment((run.finishedAt ?? run.startedAt).getTime(), zone, asked.now);
  return html`<div class="bar" id="foot" data-decide>
    <input type="hidden" name="counts" data-counts="${isCounting ? '' : countsText(counts)}" value="" />
    <div class="row">
      <p>
        ${told.map(
          (group, index) =>
            html`${index > 0 && ', '}<b>${number(group)}</b> ${COUNTED[group][all[group] === 1 ? 0 : 1]}`,
        )}<br /><span class="small dim">What is not ticked stays as it is on the site.</span>
      </p>
      <details class="later" name="decide">
        <summary class="btn bare">
          <span class="go-on">Later…</span><span class="back">‹ Back to the list</span>
        </summary>
        <div class="stack">
          <p class="say">Remind me</p>
          <p class="row">
            ${button('later-tomorrow', 'Tomorrow, 8:00')}${button('later-monday', 'Monday, 8:00')}${button('later-change', 'When the feed changes')}
          </p>
        </div>
      </details>
      <details class="no" name="decide">
        <summary class="btn"><span class="go-on">Reject…</span><span class="back">‹ Back to the list</span></summary>
        <div class="stack">
          <p class="say">Nothing is written, and this plan is closed. A new one is made when the feed changes.</p>
          <label class="field"
            >Why? (optional, for the others and the letter)<textarea
              name="why-not"
              rows="2"
              maxlength="${REASON_MAX}"
            ></textarea>
          </label>
          <p class="row">
            ${button('reject', 'Reject the plan', { kind: 'danger' })}${button('reject-write', `Reject, and write to ${run.source}`)}
          </p>
        </div>
      </details>
      <details class="yes" name="decide">
        <summary class="btn go">
          <span class="go-on">Approve…</span><span class="back">‹ Back to the list</span>
        </summary>
        <div class="stack">
          <p class="say">
            ${sentenceOf(told, plain)} What was edited on the site since ${since} is left alone and named afterwards.
          </p>
          <label class="field"
            >Why? (optional, kept with the run)<textarea name="reason" rows="2" maxlength="${REASON_MAX}"></textarea>
          </label>
          <p class="row">${button('approve', 'Yes, write it', { kind: 'go' })}</p>
        </div>
      </details>
    </div>
  </div>`;
}

const ofAll = (count: number, all: number): string =>
  count === all ? grouped(all) : `${grouped(count)} of ${grouped(all)}`;

const ACTS: Readonly<Record<Group, readonly [before: string, after: string]>> = {
  remove: ['takes ', ' off the site'],
  move: ['moves ', ''],
  change: ['changes ', ''],
  new: ['adds ', ''],
};

/**
 * "Of the events, this takes 15 off the site, moves 2, changes 4 and adds 3.": right for any numbers, as ticks change.
 */
function sentenceOf(groups: readonly Group[], number: (group: Group) => HtmlPart): Html {
  const last = groups.length - 1;
  const between = (index: number): string => {
    if (index === 0) return ' ';
    return index === last ? ' and ' : ', ';
  };
  return html`Of the events,
  this${groups.map((group, index) => {
    const [before, after] = ACTS[group];
    return html`${between(index)}${before}<b>${number(group)}</b>${after}`;
  })}.`;
}

function closedBar(asked: Asked, { run }: ReviewData): HtmlPart {
  if (run.state !== 'superseded') return false;
  const later = run.supersededBy;
  return html`<div class="bar" id="foot">
    <div class="row">
      <p><b>Nothing can be approved here any more.</b></p>
      ${later !== null && html`<a class="btn go" href="${linkTo(asked, runPath(later))}">Go to the new plan</a>`}
    </div>
  </div>`;
}

const NAMED_MAX = 20;

/** "“Story time” (Thu 7 January, 20:30)", because all events of a series have the same title. */
function titleAndTime({ action, facts, entry }: ListedAction, { today, zone }: ReviewData): string {
  const when = whenInWords(facts.start, today, clocksOf(action, entry, zone).was);
  return `${inQuotes(action.title)}${when === '' ? '' : ` (${when})`}`;
}

/**
 * A page to confirm the numbers before anything is written, for browsers without script, and if they differ from those
 * shown after a change of ticks.
 */
export function confirmPage(asked: Asked, data: ReviewData, choice: ReviewChoices): Page {
  const { run, listed, zone } = data;
  const { except, page, reason, filter } = choice;
  const counts = countsExcept(listed, except);
  const groups = GROUPS.filter((group) => counts[group] > 0);
  const left = listed.filter(({ action }) => except.has(action.slug));
  const since = moment((run.finishedAt ?? run.startedAt).getTime(), zone, asked.now);
  const isNothing = groups.length === 0;
  const place = [hidden('page', String(page)), Object.entries(filter).map(([name, value]) => hidden(name, value))];
  const content = html`${place}${hidden('counts', countsText(counts))}${[...except].map((slug) =>
      hidden('except', slug),
    )}
    <p class="say">
      ${
        isNothing
          ? 'Nothing is ticked: all events stay as they are, and the feed’s changes of them count as known.'
          : sentenceOf(groups, (group) => counts[group])
      }
      ${!isNothing && html`What was edited on the site since ${since} is left alone and named afterwards.`}
    </p>
    ${
      left.length > 0 &&
      html`<p>
        ${countInWords(left.length, 'event')} ${left.length === 1 ? 'stays as it is' : 'stay as they are'}, until the
        feed changes there:
        ${left
          .slice(0, NAMED_MAX)
          .map((each) => titleAndTime(each, data))
          .join(', ')}${left.length > NAMED_MAX && ` and ${left.length - NAMED_MAX} more`}.
      </p>`
    }
    <label class="field"
      >Why? (optional, kept with the run)<textarea name="reason" rows="2" maxlength="${REASON_MAX}">${reason}</textarea>
    </label>
    <p class="row">
      ${button('approve', 'Yes, write it', { kind: 'go' })}${button('back', '‹ Back to the list', { kind: 'bare' })}
    </p>`;
  const title = `Approve the plan of ${run.source}?`;
  return {
    title,
    place: 'todo',
    main: html`${crumbsOfPlan(asked, run)}${head(title)}${form(asked, content, {
      path: runPath(run.run),
      kind: 'box stack-4',
    })}`,
  };
}
