import { countInWords } from '../../count-in-words.ts';
import { inQuotes } from '../../look/words/in-quotes.ts';
import { safeLink } from '../../html/link.ts';
import { html, joinHtml, type Html, type HtmlPart } from '../../html/template.ts';
import { explainEvent, type ExplainedField, type Explanation } from '../../run/decisions/explain-event.ts';
import { isOffSite, isTrashedSinceComparison, whereaboutsInWords } from './whereabouts-words.ts';
import { feedDisagrees } from '../../run/decisions/feed-disagrees.ts';
import { FIELD_NAMES, type FieldName } from '../../sync/model/fields.ts';
import { isBlank } from '../../sync/model/json.ts';
import type { Json } from '../../sync/model/plan.ts';
import { whereInWords } from '../../problem.ts';
import { REASON_MAX } from '../frame/actor.ts';
import type { Answer, Asked } from '../frame/operator.ts';
import { banner, button, crumbs, form, head, linkTo, menu } from '../frame/parts.ts';
import { icon } from '../frame/sprite.ts';
import { row, table } from '../frame/table.ts';
import { ago, moment } from '../frame/times.ts';
import { undoNote } from './event-undo.ts';
import { eventPath, runPath, sourcePath, TRY_AGAIN } from '../sources/paths.ts';
import { timesInWords } from './days.ts';
import { zoneMarks } from './event-clock.ts';
import { resultBanners } from './start-and-redirect.ts';
import { eventHistory } from './event-history.ts';
import { isAllDay, type EventView } from './event-view.ts';
import { markedValue, shownValue, valueText } from './field-words.ts';
import { FIELD_LABELS, fieldInWords } from '../frame/field-labels.ts';
import { badgeLetters, listContext } from './list-parts.ts';
import { namedEvent } from './named-event.ts';
import { namedOrEdited, shownField } from './shown-fields.ts';
import { shortened } from '../../html/shortened.ts';

/** `/events/:slug/`: an event, with the origin of each field, its history, and what can be done. */
export async function eventPage(asked: Asked): Promise<Answer> {
  const named = await namedEvent(asked);
  if (!named) return UNKNOWN;
  const { context } = asked.operator;
  const explanation = await explainEvent(context, named.setup, named.entry);
  const { source, site, slug, fields } = explanation;
  const title = valueText('title', fields.title?.site) || explanation.title;
  const zone = asked.zoneOf(site);
  const page: EventView = { asked, named, explanation, zone, path: eventPath(asked, { slug, site }) };
  return {
    title,
    place: 'events',
    main: html`${crumbs(asked, [
        ['/events/', 'Events'],
        [sourcePath(source), source],
      ])}
      ${head(title, underTitle(page), named.isConfigured && acts(page))} ${await resultBanners(asked)}
      ${named.isConfigured && (await undoNote(asked, named.setup, { slug, path: page.path, isAllDay: isAllDay(explanation, 'site') }))}
      ${
        explanation.notAsked !== null &&
        banner(
          'warn',
          html`<p>${explanation.notAsked} The fields are as the site showed them after our last write.</p>`,
        )
      }
      <div class="cols">
        <div class="stack-5">
          <p class="say">${inOneSentence(page)}</p>
          ${notes(page)} ${fieldTable(page)}
          <section class="well-box">
            <h2>Why is it not newer?</h2>
            ${lastRead(page)}${explanation.whyNotNewer.map((reason) => html`<p>${withLabels(reason)}</p>`)}
          </section>
        </div>
        <aside class="stack-4">
          <section>
            <h2>What has happened to it</h2>
            ${eventHistory(page)}
          </section>
          ${identity(explanation)}
        </aside>
      </div>`,
  };
}

const UNKNOWN: Answer = {
  title: 'No such event',
  place: 'events',
  status: 404,
  main: head(
    'No source has such an event',
    html`It may have been forgotten with its source. Events that were typed on the site by hand are not watched here.`,
  ),
};

function underTitle({ asked, zone, explanation }: EventView): Html {
  const { fields, links, source } = explanation;
  const value = (field: FieldName): Json => fields[field]?.site ?? fields[field]?.agreed ?? fields[field]?.feed ?? null;
  const [start, end] = [value('start_date'), value('end_date')].map(String);
  const clock = { allDay: value('all_day') === true, timezone: String(value('timezone') ?? zone), siteZone: zone };
  const when =
    start && end && start !== 'null'
      ? `${timesInWords({ start, end, allDay: clock.allDay }, zoneMarks(start, end, clock))} · `
      : '';
  const pages = [
    links.page !== null && safeLink({ href: links.page }, html`public page ${icon('open')}`),
    links.editor !== null && safeLink({ href: links.editor }, html`edit on the site ${icon('open')}`),
  ].filter((link) => link !== false);
  return html`${badgeLetters(listContext(asked), source)}
  ${when}${whereaboutsInWords(explanation)}${pages.map((link) => html` · ${link}`)}`;
}

function inOneSentence({ explanation }: EventView): Html {
  const { source, feed, fields, edits } = explanation;
  const place =
    feed.where === null
      ? ''
      : whereInWords({
          ...(feed.where.line === undefined ? {} : { line: feed.where.line }),
          ...(feed.where.row === undefined ? {} : { row: feed.where.row }),
        });
  const from =
    feed.where === null
      ? html`It came from the feed of <b>${source}</b>: ${feed.presence}.`
      : html`It comes from <b>the feed of ${source}</b>${place !== '' && `, ${place}`}.`;
  const ruled = Object.values(fields).filter(({ rules }) => rules.length > 0).length;
  const edited = edits.map(fieldInWords).join(', ');
  return html`${from}${
    ruled > 0 && ` Rules of the source have touched ${ruled === 1 ? 'one field' : `${ruled} fields`}.`
  }${edited !== '' && html` <b>Changed here: ${edited}.</b>`}${isOffSite(explanation) && ' It is not on the site.'}`;
}

const isLabelled = (field: string): field is FieldName => Object.hasOwn(FIELD_LABELS, field);

/** Replaces field names at the start of a sentence by their labels. */
function withLabels(reason: string): string {
  const [, names, rest] = /^([a-z_, ]+)(: .*)$/s.exec(reason) ?? [];
  const fields = names?.split(', ') ?? [];
  return rest !== undefined && fields.every(isLabelled)
    ? `${fields.map((field) => FIELD_LABELS[field]).join(', ')}${rest}`
    : reason;
}

function lastRead({ explanation: { feed }, zone, asked: { now } }: EventView): Html {
  return feed.good === null
    ? html`<p>The feed has not been read yet.</p>`
    : html`<p>The feed was last read well ${ago(feed.good.getTime(), zone, now)}.</p>`;
}

function notes({ asked, explanation: { conflicts, held, alsoFrom, site } }: EventView): HtmlPart {
  const others = alsoFrom.events.map(
    ({ source, slug }) => html` <a href="${linkTo(asked, eventPath(asked, { slug, site }))}">${source}</a>`,
  );
  return [
    others.length > 0 &&
      banner(
        'info',
        html`<p>
          Visitors probably see this event twice: it also comes
          from${joinHtml(others, ',')}${alsoFrom.more > 0 && `, and as ${countInWords(alsoFrom.more, 'more event')}`}.
          Take off the one that should not be there, and it stays off.
        </p>`,
      ),
    conflicts.length > 0 &&
      banner(
        'info',
        html`<p>
          ${conflicts.map((field) => FIELD_LABELS[field]).join(', ')}: changed here and in the feed. The site shows what
          was typed here until you decide below, or with <a href="${linkTo(asked, '/conflicts/')}">all conflicts</a>.
        </p>`,
      ),
    held !== null &&
      banner(
        'info',
        html`<p>
          A held run would ${HELD_ACTS[held.action] ?? held.action} it: ${held.because}.
          <a href="${linkTo(asked, runPath(held.run))}">Review</a>
        </p>`,
      ),
  ];
}

const HELD_ACTS: Readonly<Record<string, string>> = { remove: 'remove', update: 'change', create: 'create' };

/** The fields that have something to show, and the names of the others. */
const COLUMNS = ['Field', 'On the site', 'Where it comes from'];

function fieldTable(view: EventView): Html {
  const { fields } = view.explanation;
  const known = FIELD_NAMES.flatMap((field) => (fields[field] ? [[field, fields[field]] as const] : []));
  const isWholeLocked = known.every(([, { locked }]) => locked);
  const isTold = ([, each]: (typeof known)[number]): boolean => !isSilent(each) || (each.locked && !isWholeLocked);
  const silent = known.filter((one) => !isTold(one)).map(([field]) => fieldInWords(field));
  const rows = known.filter(isTold).map(([field, each]) => fieldRow(view, field, each));
  return html`${table('Where each field comes from', COLUMNS, rows)}
  ${silent.length > 0 && html`<p class="small dim">Empty in the feed and on the site: ${silent.join(', ')}.</p>`}`;
}

const isSilent = ({ site, feed, conflict }: ExplainedField): boolean => isBlank(site) && isBlank(feed) && !conflict;

const namedOr = ({ names }: ExplainedField, side: 'feed' | 'site' | 'agreed', value: Json): Json =>
  names?.[side] ?? value;

function fieldRow(view: EventView, field: FieldName, each: ExplainedField): Html {
  const site = namedOr(each, 'site', each.site);
  const agreed = namedOr(each, 'agreed', each.agreed);
  const isTheirs = each.origin === 'person';
  const isDay = (side: 'agreed' | 'site' | 'feed'): boolean => isAllDay(view.explanation, side);
  const allDay = { was: isDay('agreed'), is: isDay('site') };
  const shown =
    isTheirs && !isBlank(each.agreed) ? markedValue(field, agreed, site, allDay) : shownValue(field, site, allDay.is);
  const feed =
    feedDisagrees(view.explanation, field, each) &&
    html`<p class="small">
      The feed says: ${markedValue(field, agreed, namedOr(each, 'feed', each.feed), { ...allDay, is: isDay('feed') })}
    </p>`;
  return row(
    COLUMNS,
    [
      FIELD_LABELS[field],
      html`<div class="any-break">${shown}${feed}</div>`,
      html`${origin(view, field, each)}${fieldActs(view, field, each)}`,
    ],
    html` id="${field}"`,
  );
}

/** The steps from the feed through the rules to the value on the site, as arrows. */
function origin({ explanation, asked, zone }: EventView, field: FieldName, each: ExplainedField): Html {
  const { changedHere, runs } = explanation;
  const changedAt = changedHere && Date.parse(`${changedHere.at.replace(' ', 'T')}Z`);
  const run = runs.find((touch) => touch.outcome === 'done' && touch.fields.includes(field));
  const steps: readonly Html[] = [
    inFeed(field, each),
    ...each.rules.map((rule) => html`${rule}`),
    ...(run
      ? [html`<a href="${linkTo(asked, runPath(run.run))}">run</a> of ${moment(run.at.getTime(), zone, asked.now)}`]
      : []),
    ...(each.origin === 'person'
      ? [html`${icon('person')} changed here${changedAt !== null && html`, ${moment(changedAt, zone, asked.now)}`}`]
      : []),
    ...(each.conflict ? [html`in conflict: the site’s stays`] : []),
    ...(each.locked ? [html`${icon('pin')} locked`] : []),
    ...(each.authority === 'preserve' || each.locked ? [] : [html`the ${each.authority} decides`]),
  ];
  return html`<span class="from any-break"
    >${steps.map(
      (step, index) => html`<span${index === steps.length - 1 && html` class="end-of"`}>${step}</span>`,
    )}</span
  >`;
}

/** Longer lines are cut here; the feed has them whole. */
const LINE_SHOWN_MAX = 80;

function inFeed(field: FieldName, { from, feed, rules }: ExplainedField): Html {
  if (from.length === 0 && (feed === null || rules.length > 0)) return html`nothing in the feed`;
  if (from.length === 0) return field === 'status' ? html`settings of the source` : html`feed`;
  const lines = [...new Set(from.map(({ line }) => line))];
  const names = [...new Set(from.map(({ name }) => name))].join(', ');
  const [first] = from;
  return html`feed, ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(' and ')}:
  ${rules.length > 0 && first ? inQuotes(shortened(first.text, LINE_SHOWN_MAX)) : names}`;
}

function fieldActs(
  { asked, named, path, explanation }: EventView,
  field: FieldName,
  each: ExplainedField,
): Html | false {
  if (!named.isConfigured || explanation.state !== 'kept' || isTrashedSinceComparison(explanation)) return false;
  const offered = FIELD_BUTTONS.filter(({ isOffered }) => isOffered(each));
  if (offered.length === 0) return false;
  const buttons = offered.map(({ name, text }) => button(name, text(each), { kind: 'bare' }));
  const shown = shownField(explanation, field);
  return form(asked, html`<input type="hidden" name="field" value="${field}" />${shown}${buttons}`, {
    path,
    kind: 'row',
  });
}

interface FieldButton {
  readonly name: string;
  readonly text: (field: ExplainedField) => string;
  readonly isOffered: (field: ExplainedField) => boolean;
}

/** Whether a person has edited a field that the feed has a value for. */
const isEditOf = ({ origin, feed }: ExplainedField): boolean => origin === 'person' && feed !== null;

const FIELD_BUTTONS: readonly FieldButton[] = [
  { name: 'keep', text: () => 'Keep the site’s', isOffered: ({ conflict }) => conflict },
  {
    name: 'give-back',
    text: ({ conflict }) => (conflict ? 'Take the feed’s' : 'Give back to the feed'),
    isOffered: (field) => isEditOf(field) || (field.locked && field.feed !== null),
  },
  {
    name: 'retry',
    text: () => TRY_AGAIN,
    isOffered: ({ refused, locked, conflict, origin }) => refused && !locked && !conflict && origin === 'feed',
  },
  { name: 'unlock', text: () => 'Unlock', isOffered: ({ locked }) => locked },
  { name: 'lock', text: () => 'Lock', isOffered: (field) => isEditOf(field) && !field.locked },
];

function acts({ asked, path, explanation }: EventView): Html {
  const { state, fields, source, feed } = explanation;
  if (state === 'ignored' || isTrashedSinceComparison(explanation))
    return html`${form(asked, button('restore', 'Restore it', { kind: 'go' }), { path })}${menu(html`${icon('more')}More`, forgetting(asked, path))}`;
  if (state === 'detached') return giveBack(asked, path, explanation);
  if (state !== 'kept') return html``;
  const isLocked = Object.values(fields).some(({ locked }) => locked);
  const given = feed.where === null ? [] : namedOrEdited(explanation, undefined);
  const items = form(
    asked,
    html`${shownField(explanation)}${button('lock', html`${icon('pin')}Lock: what is here always stays`, { kind: 'item btn' })}${
      isLocked && button('unlock', 'Unlock all of it', { kind: 'item btn' })
    }${given.length > 0 && button('give-back', `Give it back to the feed (${given.length})`, { kind: 'item btn' })}${button(
      'detach',
      html`${icon('person')}Make it our own: ${source} leaves it alone`,
      { kind: 'item btn' },
    )}`,
    { path },
  );
  const off = html`<details class="yes">
    <summary class="btn bare danger">Take it off and keep it off…</summary>
    <div class="stack">
      <p class="small">
        Its page will answer “no longer available”, subscribers see it cancelled, and its feed cannot bring it back. It
        goes to the trash; you can restore it here.
      </p>
      ${form(
        asked,
        html`<label>Why, for the history <input name="reason" maxlength="${REASON_MAX}" /></label
          >${button('dismiss', 'Yes, take it off', { kind: 'danger' })}`,
        { path, kind: 'stack' },
      )}
    </div>
  </details>`;
  return html`${menu(html`${icon('more')}More`, html`${items}${off}${forgetting(asked, path)}`)}`;
}

/** The menu to forget what should never have been published, such as a name, a photograph or an address. */
const forgetting = (asked: Asked, path: string): Html =>
  html`<details class="yes">
    <summary class="btn bare danger">Take it back altogether…</summary>
    <div class="stack">
      <p class="small">
        For what should never have been published. It goes off the site at once, and the calendars of subscribers get it
        as cancelled, without its title, text and place. It cannot be called back from there.
      </p>
      ${form(
        asked,
        html`<label>Why, for the history <input name="reason" maxlength="${REASON_MAX}" /></label
          >${button('forget', 'Yes, take it back', { kind: 'danger' })}`,
        { path, kind: 'stack' },
      )}
    </div>
  </details>`;

const giveBack = (asked: Asked, path: string, explanation: Explanation): Html =>
  html`<details class="yes">
    <summary class="btn">Give it back to ${explanation.source}…</summary>
    <div class="stack">
      <p class="small">What the feed says replaces what was changed here. That can be taken back with the run.</p>
      ${form(
        asked,
        html`${shownField(explanation)}${button('attach', `Yes, give it back to ${explanation.source}`, { kind: 'go' })}`,
        { path },
      )}
    </div>
  </details>`;

function identity({ identity: { rung, identity: name, uid, key }, slug, id, onSite, feed }: Explanation): Html {
  const rows: readonly (readonly [string, string])[] = [
    ['UID', uid ?? 'none'],
    ['Identity', `${rung} ${name.replaceAll('\t', ', ')}`],
    ['Key', key],
    ['Slug', slug],
    ['On the site', `id ${id ?? 'unknown'}, ${onSite ?? 'not found'}`],
    ['Gone from the feed', `${feed.missing} good readings`],
  ];
  return html`<details class="box">
    <summary><b>Identity</b> <span class="small dim">for the developer</span></summary>
    <dl class="kv small">
      ${rows.map(
        ([name_, value]) =>
          html`<dt>${name_}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </details>`;
}
