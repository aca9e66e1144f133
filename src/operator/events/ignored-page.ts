import { inQuotes } from '../../look/words/in-quotes.ts';
import { messageHtml } from '../sources/message-html.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { planAdoption, startAdoption } from '../../run/decisions/adopt-events.ts';
import { startRestore } from '../../run/decisions/settle-event.ts';
import { listEvents, type ListedEvent } from '../../run/events/list-events.ts';
import { AppError } from '../../error.ts';
import { linkedInWords } from '../../sync/plan/plan-in-words.ts';
import { nameOfRef } from '../../sync/links/link.ts';
import { inFieldOrder, isLinked } from '../../sync/model/fields.ts';
import type { Json, Plan } from '../../sync/model/plan.ts';
import { labelOfField } from '../frame/field-labels.ts';
import { markedValue } from './field-words.ts';
import type { Answer, Asked, Page, Route, Sent } from '../frame/operator.ts';
import { banner, button, crumbs, form, head, linkTo, pageNumber } from '../frame/parts.ts';
import { dayIn } from './days.ts';
import { clockOf, timeBy } from './event-clock.ts';
import { requestedBy, startAndRedirect, resultBanners } from './start-and-redirect.ts';
import { badgeLetters, eventHref, listContext, type ListContext } from './list-parts.ts';

const PATH = '/ignored/';
const PER_PAGE = 100;

/** `/ignored/`: events that people took off the site, which stay off, and events of others that a source may adopt. */
export async function ignoredPage(asked: Asked): Promise<Page> {
  const { operator, url, now } = asked;
  const isOver = url.searchParams.get('over') === 'yes';
  const page = pageNumber(url.searchParams.get('page'));
  const { events, total } = await listEvents(
    operator.context.database.query(),
    { state: 'ignored', ...(isOver ? {} : { from: now }) },
    { offset: (page - 1) * PER_PAGE, limit: PER_PAGE },
  );
  const listing = listContext(asked);
  const title = total === 0 ? 'No event was taken off' : `${countInWords(total, 'event')} that people took off`;
  const over = !isOver && html` <a href="${linkTo(asked, `${PATH}?over=yes`)}">Also those that are over</a>`;
  const left = total - (page - 1) * PER_PAGE - events.length;
  const next = new URLSearchParams({ ...(isOver ? { over: 'yes' } : {}), page: String(page + 1) });
  return {
    title,
    place: 'events',
    main: html`${crumbs(asked, [['/events/', 'Events']])}
    ${head(
      title,
      html`What people take off the site stays off, whatever its feed says, until somebody restores it.${over}`,
    )}
    ${await resultBanners(asked)}
    ${
      events.length > 0 &&
      html`<ul class="rows">
        ${events.map((event) => row(listing, event))}
      </ul>`
    }
    ${left > 0 && html`<p><a class="btn" href="${linkTo(asked, `${PATH}?${next.toString()}`)}">${left} more</a></p>`}
    ${adoptable(asked)}`,
  };
}

function row(listing: ListContext, event: ListedEvent): Html {
  const { asked } = listing;
  const { source, title, start, slug } = event;
  const time = timeBy(start, clockOf(asked, event));
  const isHere = asked.operator.context.sources.get(source)?.site.key === event.site;
  return html`<li class="matter">
    <div>${badgeLetters(listing, source)}</div>
    <div>
      <h2><a data-row href="${eventHref(asked, event)}">${title}</a></h2>
      <p class="small dim">${source} · ${dayIn('day', start.slice(0, 10))}${time !== '' && `, ${time}`}</p>
    </div>
    ${
      isHere &&
      form(
        asked,
        html`<input type="hidden" name="slug" value="${slug}" /><input
            type="hidden"
            name="source"
            value="${source}"
          />${button('restore', 'Restore it')}`,
        { path: PATH, kind: 'acts' },
      )
    }
  </li>`;
}

/** The section that leads to events which a source could adopt. */
function adoptable(asked: Asked): Html | false {
  const names = [...asked.operator.context.sources.keys()];
  if (names.length === 0) return false;
  return html`<section id="others" class="stack gap-5">
    <h2>Events that others made</h2>
    <p>
      An event that was entered by hand before its feed was added is there twice, or keeps the feed’s out. A source can
      take such events over: they keep their page, and what was entered stays. Looking reads the feed and the site, and
      writes nothing.
    </p>
    <form class="row" action="${linkTo(asked, '/adopt/')}">
      <label class="named"
        >Source<select class="find" name="source">
          ${names.map((name) => html`<option>${name}</option>`)}
        </select></label
      ><button>Look</button>
    </form>
  </section>`;
}

export const IGNORED_ACTS: NonNullable<Route['acts']> = {
  restore: async (asked: Asked, sent: Sent): Promise<Answer> => {
    const { context } = asked.operator;
    const setup = context.sources.get(sent.field('source'));
    if (!setup) return { to: PATH };
    return startAndRedirect(asked, PATH, setup, () =>
      startRestore(context, setup, sent.field('slug'), requestedBy(asked)),
    );
  },
};

/** `/adopt/?source=…`: the events of others that a source would adopt, and the button for it. */
export async function adoptPage(asked: Asked): Promise<Page> {
  const { context } = asked.operator;
  const source = asked.url.searchParams.get('source') ?? '';
  const setup = context.sources.get(source);
  const crumb = crumbs(asked, [
    ['/events/', 'Events'],
    [PATH, 'Taken off and taken over'],
  ]);
  const page = (title: string, sentence: HtmlPart, more: Html = html``): Page => ({
    title,
    place: 'events',
    main: html`${crumb}${head(title, sentence)}${more}`,
  });
  if (!setup) return page('Choose a source', 'There is no source of that name.');
  const results = await resultBanners(asked);
  if (results.length > 0) {
    const hasBegun = asked.url.searchParams.has('run');
    return page(hasBegun ? `Taken over by ${source}` : 'Nothing was taken over', 'Result:', html`${results}`);
  }
  try {
    const plan = await planAdoption(context, setup);
    const titles = Object.values(plan.ledger).map(({ entry }) => entry.title);
    const problems = html`${plan.problems.map(({ message }) => banner('warn', html`<p>${messageHtml(asked, message, setup.site.key)}</p>`))}`;
    if (titles.length === 0)
      return plan.problems.length === 0
        ? page('Nothing to take over', `No event of the site that others made is in the feed of ${source}.`)
        : page(
            'Nothing to take over',
            `Events that others made and the feed of ${source} has need to be corrected first:`,
            problems,
          );
    const acts = form(asked, button('adopt', `Take over ${countInWords(titles.length, 'event')}`, { kind: 'go' }), {
      path: `/adopt/?source=${encodeURIComponent(source)}`,
    });
    const lines = writtenInWords(plan);
    const list = html`${first(titles)}${
      lines.length > 0 &&
      html`<h2>What would be written</h2>
        ${first(lines)}`
    }${problems}${acts}`;
    return page(
      `${source} can take over ${countInWords(titles.length, 'event')}`,
      'They keep their pages, and what was typed stays; the feed fills what is empty.',
      list,
    );
  } catch (error) {
    if (error instanceof AppError)
      return page('It could not be checked', messageHtml(asked, error.message, setup.site.key));
    throw error;
  }
}

/** What adopting would write, and which conflicts would wait for a decision. */
const writtenInWords = ({ actions, conflicts }: Plan): readonly HtmlPart[] => [
  ...actions.flatMap((action): readonly HtmlPart[] => {
    if ('ref' in action) return [`New: ${linkedInWords(action.ref)}`];
    return action.kind === 'update'
      ? inFieldOrder(action.changes).map(
          ([field, { from, to }]) =>
            html`${inQuotes(action.title)}, ${labelOfField(field)}:
            ${markedValue(field, named(field, from), named(field, to))}`,
        )
      : [];
  }),
  ...conflicts.map(
    ({ title, field }) =>
      `${inQuotes(title)}, ${labelOfField(field)}: the site and the feed differ. The site’s value stays until you settle it.`,
  ),
];

/** Replaces refs by names. */
const named = (field: string, value: Json): Json =>
  isLinked(field) && Array.isArray(value) ? value.map((ref) => nameOfRef(String(ref))) : value;

const LINES_MAX = 100;

const first = (lines: readonly HtmlPart[]): Html =>
  html`<ul>
      ${lines.slice(0, LINES_MAX).map((line) => html`<li>${line}</li>`)}
    </ul>
    ${lines.length > LINES_MAX && html`<p class="small dim">and ${grouped(lines.length - LINES_MAX)} more</p>`}`;

export const ADOPT_ACTS: NonNullable<Route['acts']> = {
  adopt: async (asked: Asked): Promise<Answer> => {
    const { context } = asked.operator;
    const source = asked.url.searchParams.get('source') ?? '';
    const setup = context.sources.get(source);
    if (!setup) return { to: PATH };
    return startAndRedirect(asked, `/adopt/?source=${encodeURIComponent(source)}`, setup, () =>
      startAdoption(context, setup, requestedBy(asked)),
    );
  },
};
