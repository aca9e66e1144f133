import { AppError } from '../../error.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import {
  endLeftRun,
  forgetSource,
  formerSources,
  startTrashing,
  type FormerSource,
} from '../../run/decisions/forget-source.ts';
import { formerSource } from '../../run/steps/setup-of-run.ts';
import { actorOf, REASON_MAX, reasonIn } from '../frame/actor.ts';
import type { Answer, Asked, Route, Sent, SiteLink } from '../frame/operator.ts';
import { banner, button, crumbs, form, head, linkTo } from '../frame/parts.ts';
import { sign } from '../frame/sprite.ts';
import { backTo, outcomeBanner } from './acts.ts';
import { messageHtml } from './message-html.ts';
import { forgetOverview } from './overview.ts';
import { eventsPath, sourcePath, startedPath } from './paths.ts';
import { unknownSource } from './source-page.ts';

/** Sources that are no longer configured but still have events on a site. */
export const formerWithEvents = async ({ operator }: Pick<Asked, 'operator'>): Promise<readonly FormerSource[]> =>
  (await formerSources(operator.context)).filter(({ kept }) => kept > 0);

const LISTED_MAX = 100;

/** The section of the source list with those that left events behind, and what can be done about each. */
export function formerSourcesSection(former: readonly FormerSource[], asked: Asked): Html | false {
  if (former.length === 0) return false;
  const left = former.length - LISTED_MAX;
  return html`<section class="stack gap-5" aria-labelledby="former">
    <h2 id="former">No longer in the configuration</h2>
    <ul class="rows">
      ${former.slice(0, LISTED_MAX).map((each) => formerRow(each, asked))}
    </ul>
    ${left > 0 && html`<p class="small dim">and ${grouped(left)} more</p>`}
  </section>`;
}

const formerRow = ({ source, site, kept }: FormerSource, asked: Asked): Html => {
  const to = linkTo(asked, sourcePath(source, 'left'));
  return html`<li class="matter">
    ${sign('stale')}
    <div>
      <h3><a data-row href="${to}">${source}</a></h3>
      <p>
        ${countInWords(kept, 'event of it stays', 'events of it stay')}
        on${siteInWords(asked, site)}${kept === 1 ? ' as it is' : ' as they are'}: nobody reads its feed any more.
      </p>
    </div>
    <div class="acts"><a class="btn" href="${to}">Decide</a></div>
  </li>`;
};

const siteLink = ({ operator }: Asked, key: string): SiteLink | undefined =>
  operator.sites().find((site) => site.key === key);

/** " the site" if there is only one and it is configured; otherwise the site's name or address. */
function siteInWords(asked: Asked, key: string): HtmlPart {
  const site = siteLink(asked, key);
  return site && asked.operator.sites().length === 1 ? ' the site' : html` the site <b>${site?.name ?? key}</b>`;
}

const nameIn = ({ params }: Asked): string => params['source'] ?? '';

async function show(asked: Asked, message?: Html): Promise<Answer> {
  const name = nameIn(asked);
  const left = (await formerWithEvents(asked)).filter(({ source }) => source === name);
  const isConfigured = asked.operator.context.sources.has(name);
  if (left.length === 0)
    return isConfigured
      ? { to: sourcePath(name) }
      : { title: name, place: 'sources', status: 404, main: unknownSource(name, asked) };
  return {
    title: `What ${name} has left`,
    place: 'sources',
    main: html`${crumbs(asked, [['/sources/', 'Sources']])}${head(
        isConfigured ? `What ${name} has left elsewhere` : `${name} is no longer in the configuration`,
        isConfigured
          ? 'It writes to another site now. What it wrote before stays there, and nobody keeps it up to date.'
          : 'Its feed is no longer read, and nobody keeps up to date what it has left.',
      )}
      <div class="stack-5">${message ?? outcomeBanner(asked)}${left.map((each) => choices(each, asked))}</div>`,
  };
}

/** Pronouns and verbs for one event, and for several. */
const ONE = { it: 'it', itIs: 'it is', itGoes: ' goes', itStays: 'It stays', itsPage: 'its page' };
const SEVERAL: typeof ONE = {
  it: 'them',
  itIs: 'they are',
  itGoes: ', past ones too, go',
  itStays: 'They stay',
  itsPage: 'their pages',
};
const spokenOf = (count: number): typeof ONE => (count === 1 ? ONE : SEVERAL);

function choices(left: FormerSource, asked: Asked): Html {
  const { source, site, kept } = left;
  const { it } = spokenOf(kept);
  const link = siteLink(asked, site);
  return html`<section class="stack">
    <p class="say">
      <b>${countInWords(kept, 'event')}</b> of ${source} ${kept === 1 ? 'is' : 'are'} on${siteInWords(asked, site)}.
      <a href="${linkTo(asked, eventsPath(source))}">See ${it}</a>
    </p>
    <div class="half">
      ${
        link
          ? choice(left, asked, takeOff(left, link, asked))
          : html`<p>
              The configuration does not have that site any more, so nothing can be taken off there from here: put the
              site back first, or remove ${it} on the site.
            </p>`
      }${choice(left, asked, letStay(left))}
    </div>
  </section>`;
}

/** What can be done, and its button. */
interface Way {
  readonly title: string;
  readonly words: HtmlPart;
  readonly button: Html;
}

const choice = ({ source, site }: FormerSource, asked: Asked, way: Way): Html =>
  form(
    asked,
    html`<h2>${way.title}</h2>
      <p>${way.words}</p>
      <input type="hidden" name="site" value="${site}" /><label class="field"
        >Why? (optional, for the history)<input name="reason" maxlength="${REASON_MAX}"
      /></label>
      <p>${way.button}</p>`,
    { path: sourcePath(source, 'left'), kind: 'box stack' },
  );

function takeOff({ kept }: FormerSource, { isBuiltin }: SiteLink, asked: Asked): Way {
  const { it, itIs, itGoes, itsPage } = spokenOf(kept);
  const events = countInWords(kept, 'event');
  return {
    title: `Take ${it} off`,
    words: html`${events}${itGoes} to the trash. Anyone who opens ${itsPage} reads that ${itIs} no longer available, and
    subscribers see ${it} as cancelled. It can be taken back on the page of that run, as long as ${itIs} in the
    trash${isBuiltin && trashInWords(asked)}.`,
    button: button('trash', `Move ${events} to the trash`, { kind: 'danger' }),
  };
}

function letStay({ source, kept }: FormerSource): Way {
  const { it, itIs, itStays } = spokenOf(kept);
  return {
    title: `Leave ${it} there`,
    words: html`${itStays} on the site as ${itIs}, like what was written there by hand. What is kept about ${source} is
    deleted, and it is no longer named here. That cannot be taken back.`,
    button: button('leave', `Leave ${it}, and forget ${source}`),
  };
}

function trashInWords({ operator }: Asked): string {
  const { trashDays } = operator.config().builtin;
  return trashDays > 0 ? `, for ${countInWords(trashDays, 'day')}` : '';
}

type Doing = (asked: Asked, left: FormerSource, sent: Sent) => Promise<{ readonly to: string }>;

/** Does something with what the source named in the form has left on a site. */
const withLeft =
  (doing: Doing) =>
  async (asked: Asked, sent: Sent): Promise<Answer> => {
    const { context } = asked.operator;
    const [name, site] = [nameIn(asked), sent.field('site')];
    const left = (await formerWithEvents(asked)).find((each) => each.source === name && each.site === site);
    if (!left) return show(asked);
    try {
      await endLeftRun(context, site, name);
      return await doing(asked, left, sent);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const why = html`<p><b>Nothing was done:</b> ${messageHtml(asked, error.message, site)}</p>`;
      return show(asked, banner('bad', why, true));
    } finally {
      forgetOverview(asked);
    }
  };

async function trash(asked: Asked, { source, site: key }: FormerSource, sent: Sent): Promise<{ readonly to: string }> {
  const { context, engine } = asked.operator;
  const site = context.siteOf(key);
  if (!site) return { to: sourcePath(source, 'left') };
  const setup = formerSource(source, site);
  const by = { by: actorOf(asked), reason: reasonIn(sent) };
  const started = await engine.carryOut(setup, () => startTrashing(context, setup, by));
  return { to: startedPath(started, backTo(sourcePath(source, 'left'), ['at-work', 0]).to) };
}

async function leave(asked: Asked, { source, site, kept }: FormerSource, sent: Sent): Promise<{ readonly to: string }> {
  await forgetSource(asked.operator.context, site, source, { by: actorOf(asked), reason: reasonIn(sent) });
  return backTo('/sources/', ['forgotten', kept]);
}

/** The page for events left by a source that is no longer configured: move them to the trash, or leave them. */
export const formerRoute: Route = {
  path: '/sources/:source/left/',
  show: (asked) => show(asked),
  acts: { trash: withLeft(trash), leave: withLeft(leave) },
};
