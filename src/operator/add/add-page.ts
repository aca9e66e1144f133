import { inQuotes } from '../../look/words/in-quotes.ts';
import { countInWords } from '../../count-in-words.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import type { Problem } from '../../problem.ts';
import { INTERVALS } from '../../run/discover/suggest.ts';
import type { Discovery, FoundFeed, RefusedAddress } from '../../run/discover/discover.ts';
import type { NameCount } from '../../sync/drafts/rule-trial.ts';
import type { EventDraft } from '../../sync/model/draft.ts';
import type { Asked, Page } from '../frame/operator.ts';
import { banner, button, crumbs, form, head, tokenField, linkTo } from '../frame/parts.ts';
import { sign } from '../frame/sprite.ts';
import { lastDayOf } from '../frame/times.ts';
import { MISSING, type NewSource } from './add-form.ts';
import type { Edit } from './config-edit.ts';
import { faultLine, fieldAttributes, fieldFaults, fieldIdAt } from './field-faults.ts';
import { awaitedParts, manualChangeNote, copyButton, type EntryPath } from './manual-change.ts';
import { isUpload, feedNameInWords } from './discover-feeds.ts';
import { yamlDifference } from './yaml-shown.ts';
import { wallInWords } from './wall-in-words.ts';

/** What the page shows below the address field. */
export interface LookupResult {
  readonly address: string;
  readonly discovery: Discovery;
  readonly chosen?: {
    readonly feed: FoundFeed;
    readonly source: NewSource;
    readonly edit: Edit;
    readonly unknown: readonly NameCount[];
    readonly onSite: readonly string[];
    readonly languages: readonly string[];
    readonly sites: readonly string[];
  };
}

const CARDS = 10;
const MAPPED_MAX = 8;
const REMARKS_MAX = 20;

/** The page to add a source: one address field, below which the next steps appear. */
export function addPage(asked: Asked, looked?: LookupResult, message?: Html): Page {
  const isFirst = asked.operator.config().sources.length === 0;
  const title = isFirst
    ? head(
        'Your calendar is empty. Which calendar is to be in it?',
        'Paste an address. You see the result before anything appears on the site.',
      )
    : head('Add a source', 'Paste what you have. A web page will do: we look for the calendar behind it.');
  return {
    title: 'Add a source',
    place: 'sources',
    live: awaited(looked),
    main: html`${crumbs(asked, [['/sources/', 'Sources']])}${title}
      <div class="stack-5">
        ${message}${asking(asked, looked?.address ?? asked.url.searchParams.get('url') ?? '')}${
          looked && found(asked, looked)
        }${REFUSALS}
      </div>`,
  };
}

function awaited(looked: LookupResult | undefined): readonly string[] {
  if (!looked?.chosen) return [];
  const { edit, source } = looked.chosen;
  return awaitedParts(edit, edit.kind === 'edit' ? edit.readOnly : undefined, entryOf(source));
}

function asking(asked: Asked, address: string): Html {
  // Nobody typed the path of an uploaded file, so do not show it.
  const shown = isUpload(asked.operator, address) ? '' : address;
  return html`<form method="post" enctype="multipart/form-data" action="${linkTo(asked, '/add/')}" class="row">
    ${tokenField(asked)}<label class="vh" for="url">Address of a calendar, a table, or any web page</label
    ><input
      class="wide-in"
      id="url"
      name="url"
      inputmode="url"
      autocapitalize="none"
      spellcheck="false"
      autocomplete="off"
      value="${shown}"
      placeholder="https://library.example/events"
    />${button('look', 'Look', { kind: 'go' })}
    <details class="menu">
      <summary class="btn">or a file…</summary>
      <div class="stack">
        <label class="field small"
          >An .ics or .csv file, of at most 10 MB<input
            type="file"
            name="file"
            accept=".ics,.csv,text/calendar,text/csv"
        /></label>
        <p class="small dim">
          It is read once and kept in the data directory. Put another one in its place when it changes.
        </p>
        ${button('upload', 'Read it')}
      </div>
    </details>
  </form>`;
}

function found(asked: Asked, { address, discovery, chosen }: LookupResult): Html {
  if (!chosen)
    return html`${discovery.refused.map(refusal)}${
      discovery.feeds.length === 0 && discovery.refused.length === 0 && refusalOfNothing
    }`;
  return form(
    asked,
    html`<input type="hidden" name="url" value="${address}" /><input
        type="hidden"
        name="shown"
        value="${chosen.feed.address}"
      />${whichFeed(asked, discovery, chosen.feed)}${visitorsSee(asked, chosen.feed)}
      <div class="half">${manners(chosen)}${block(chosen)}</div>`,
    { path: '/add/', kind: 'stack-5' },
  );
}

const refusal = ({ problem, advice }: RefusedAddress): Html =>
  banner(
    'bad',
    html`<p>${problem.message}</p>
      ${advice && html`<p>${advice}</p>`}`,
    true,
  );
const refusalOfNothing = banner('bad', html`<p>There is no calendar behind this address.</p>`, true);

function whichFeed({ operator }: Asked, { isPage, feeds, refused, more }: Discovery, chosen: FoundFeed): Html {
  const count = countInWords(feeds.length, 'calendar');
  const sentence = isPage
    ? `This is a web page. It leads to ${count}`
    : `This is a calendar${chosen.preview.format === 'csv' ? ' in a table' : ''}`;
  const left = [
    ...refused.map(({ address, problem }) => `${feedNameInWords(operator, address)}: ${problem.message}`),
    ...(more > 0
      ? [
          `${countInWords(more, 'further address', 'further addresses')} of the page were not tried; paste the one that you mean.`,
        ]
      : []),
  ];
  return html`<section aria-labelledby="feeds" class="stack">
    <h2 id="feeds"><span>${sign('well')} ${sentence}</span></h2>
    <fieldset class="stack">
      <legend class="vh">Which one?</legend>
      ${feeds.map(
        (feed) =>
          html`<label class="row opt"
            ><input type="radio" name="feed" value="${feed.address}" ${feed === chosen && html` checked`} />
            <span class="any-break"
              ><b>${feed.preview.name ?? feedNameInWords(operator, feed.address)}</b> ·
              ${countInWords(feed.coming, 'coming event')} ·
              ${feed.preview.format === 'csv' ? 'table (CSV)' : 'iCalendar'}${
                feed.preview.profile?.startsWith('-') === false && html` · ${feed.preview.profile}`
              }${
                feed.preview.name !== null &&
                html`<br /><span class="small dim">${feedNameInWords(operator, feed.address)}</span>`
              }</span
            ></label
          >`,
      )}
    </fieldset>
    ${feeds.length > 1 && html`<p>${button('look', 'Show the chosen one')}</p>`}${
      left.length > 0 &&
      html`<details class="small">
        <summary>${countInWords(left.length, 'other address', 'other addresses')}</summary>
        <ul class="rows tight">
          ${left.map((each) => html`<li>${each}</li>`)}
        </ul>
      </details>`
    }
  </section>`;
}

function visitorsSee(asked: Asked, { preview, coming }: FoundFeed): Html {
  const next = preview.reading.drafts
    .filter(({ endsAt }) => endsAt > asked.now)
    .toSorted((one, other) => one.startsAt - other.startsAt)
    .slice(0, CARDS);
  const { problems } = preview.reading;
  return html`<section aria-labelledby="visitors" class="stack">
    <h2 id="visitors">
      This is what your visitors will see
      <small
        >${next.length < coming ? `the next ${next.length} of ${coming}` : countInWords(coming, 'coming event')}</small
      >
    </h2>
    ${
      next.length > 0
        ? html`<ul class="cards">
            ${next.map((draft) => card(draft))}
          </ul>`
        : banner(
            'warn',
            problems.some(({ code }) => code === 'csv-header')
              ? html`<p>
                  <b>No row of this table can be read yet.</b> Save it, then name its columns in its settings.
                </p>`
              : html`<p><b>A calendar without any coming event.</b> You may save it; it waits until one comes.</p>`,
          )
    }${problems.length > 0 && remarks(problems)}
  </section>`;
}

function whenOnCard({ start_date: start, end_date: end, all_day: allDay }: EventDraft['fields']): string {
  const from = wallInWords(allDay ? start.slice(0, 10) : start);
  const last = lastDayOf({ start, end, allDay });
  return last > start.slice(0, 10) ? `${from}, until ${wallInWords(last)}` : from;
}

const card = ({ fields }: EventDraft): Html =>
  html`<li class="card">
    <span class="small dim">${whenOnCard(fields)}</span
    ><b>${fields.title}</b>${fields.venue?.[0] && html`<span class="small">${fields.venue[0].venue}</span>`}
  </li>`;

function remarks(problems: readonly Problem[]): Html {
  const more = problems.length - REMARKS_MAX;
  return banner(
    'warn',
    html`<details>
      <summary><b>${countInWords(problems.length, 'remark')}</b> on this feed</summary>
      <ul class="rows tight small">
        ${problems
          .slice(0, REMARKS_MAX)
          .map(
            ({ message, where }) => html`<li>${where.line !== undefined && `Line ${where.line}: `}${message}</li>`,
          )}${more > 0 && html`<li>and ${more} more</li>`}
      </ul>
    </details>`,
  );
}

type Chosen = NonNullable<LookupResult['chosen']>;

const option = (value: string, words: HtmlPart, chosen: string): Html =>
  html`<option value="${value}" ${value === chosen && html` selected`}>${words}</option>`;

const entryOf = ({ name }: NewSource): EntryPath => ['sources', name];

function manners({ source, feed, edit, unknown, onSite, languages, sites }: Chosen): Html {
  const faults = fieldFaults(edit, entryOf(source));
  const intervals = INTERVALS.some(([every]) => every === source.every)
    ? INTERVALS
    : [...INTERVALS, [source.every, 0, source.every] as const];
  const zone = feed.preview.timezone;
  return html`<section aria-labelledby="manners" class="stack">
    <h2 id="manners">Name and manners</h2>
    <label class="field"
      >Name<input name="name" value="${source.name}" required maxlength="64" autocapitalize="none" spellcheck="false"
    /></label>
    <label class="field"
      >Read it<select name="every">
        ${intervals.map(([every, , words]) => option(every, words, source.every))}
      </select></label
    >
    <label class="field"
      >Time zone of times without one<input
        name="timezone"
        value="${source.timezone}"
        ${fieldAttributes('timezone', faults)}
        placeholder="${zone ?? 'as the site'}"
        autocapitalize="none"
        spellcheck="false" /></label
    >${faultLine('timezone', faults)}
    ${
      languages.length > 1 &&
      html`<label class="field"
        >Language of its events<select name="language">
          ${option('', 'as the site', source.language)}${languages.map((each) => option(each, each, source.language))}
        </select></label
      >`
    }
    ${
      sites.length > 1 &&
      html`<label class="field"
        >Site<select name="site">
          ${sites.map((each) => option(each, each, source.site))}
        </select></label
      >`
    }
    ${unknown.slice(0, MAPPED_MAX).map(
      ({ name, count }) =>
        html`<input type="hidden" name="from" value="${name}" /><label class="field"
            >${inQuotes(name)} (${countInWords(count, 'event')}) is on the site<select name="to">
              ${option('', `a new category ${inQuotes(name)}`, source.categories[name] ?? '')}${onSite.map((each) =>
                option(each, each, source.categories[name] ?? ''),
              )}
            </select></label
          >`,
    )}
    ${
      unknown.length > MAPPED_MAX &&
      html`<p class="small dim">
        ${countInWords(unknown.length - MAPPED_MAX, 'further category', 'further categories')} would be new, too; the
        rules of the source can map them afterwards.
      </p>`
    }
    <label class="field"
      >Gone from the feed for 3 readings<select name="missing">
        ${MISSING.map(([action, words]) => option(action, words, source.missing))}
      </select></label
    >
    <p>${button('look', 'Show what that changes')}</p>
  </section>`;
}

function block({ edit, source }: Chosen): Html {
  if (edit.kind === 'byHand')
    return html`<section aria-labelledby="block" class="stack">
      <h2 id="block">What goes into the file</h2>
      ${banner('bad', html`<p>${edit.because}</p>`)}
    </section>`;
  const { checked, readOnly, remarks: said } = edit;
  const isSound = checked.value !== undefined;
  const isToSave = isSound || checked.problems.every(({ where }) => isOf(source.name, where.field));
  return html`<section aria-labelledby="block" class="stack">
    <h2 id="block">What goes into the file</h2>
    ${problemList(checked.problems, said, fieldIdAt(entryOf(source), fieldFaults(edit, entryOf(source))))}${yamlDifference(edit.before, edit.text)}${
      readOnly === undefined
        ? html`<p class="row">
              ${isToSave && button('save', 'Save and sync', { kind: 'go' })}${copyButton(edit, entryOf(source))}
            </p>
            <p class="small dim">
              The first run is shown as a plan: nothing appears on the site until you approve it there.
            </p>`
        : isSound && manualChangeNote(edit, readOnly, entryOf(source))
    }
  </section>`;
}

/** Whether a problem concerns the new source, so that it can be corrected in this form. */
const isOf = (name: string, field = ''): boolean => field === `sources.${name}` || field.startsWith(`sources.${name}.`);

/**
 * The problems and doubts about a change of the file. `fieldOf` gives the id of the form field that a problem is about.
 */
export const problemList = (
  problems: readonly Problem[],
  said: readonly Problem[],
  fieldOf: (where: string) => string | undefined = () => undefined,
): HtmlPart => [
  problems.length > 0 &&
    banner(
      'bad',
      html`<p><b>It cannot be saved like this.</b></p>
        <ul class="rows tight small">
          ${problems.map(
            ({ message, where }) =>
              html`<li>
                ${where.field !== undefined && html`${place(where.field, fieldOf(where.field))}: `}${message}
              </li>`,
          )}
        </ul>`,
      true,
    ),
  said.length > 0 &&
    banner(
      'warn',
      html`<ul class="rows tight small">
        ${said.map(({ message }) => html`<li>${message}</li>`)}
      </ul>`,
    ),
];

const place = (where: string, field: string | undefined): Html =>
  field === undefined ? html`<code>${where}</code>` : html`<a href="#${field}"><code>${where}</code></a>`;

const REFUSALS = html`<details class="well-box">
  <summary><b>If an address is refused</b> <span class="dim">what it may say, and what to do then</span></summary>
  <ul class="rows tight small">
    <li>
      <b>This is a login page.</b> Ask for the public address; in Google Calendar: Settings, your calendar, “Secret
      address in iCal format”.
    </li>
    <li>
      <b>There is nothing at this address (404).</b> Private calendars give the same answer: make it public first.
    </li>
    <li><b>This is our own feed.</b> It would lead in a circle.</li>
    <li>
      <b>It is in a network of its own.</b> Feeds are read from the public internet; the person who runs calsyncd can
      allow a network under <code>fetch</code>.
    </li>
    <li><b>A calendar without any coming event.</b> You may save it; it waits until one comes.</li>
  </ul>
</details>`;
