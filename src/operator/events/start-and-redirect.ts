import { inQuotes } from '../../look/words/in-quotes.ts';
import { messageHtml } from '../sources/message-html.ts';
import { AppError } from '../../error.ts';
import { html, type Html } from '../../html/template.ts';
import { causeInWords, type Cause } from '../../run/state/causes.ts';
import type { SourceSetup } from '../../run/state/context.ts';
import { findEntries } from '../../run/state/ledger.ts';
import { findRun, type RunRecord } from '../../run/state/records.ts';
import type { ActRequest as AskedFor } from '../../run/watch/acts.ts';
import type { StartOutcome } from '../../run/steps/keep-plan.ts';
import { countInWords } from '../../count-in-words.ts';
import type { Answer, Asked } from '../frame/operator.ts';
import { actorOf } from '../frame/actor.ts';
import { noticesOf, withNotice } from '../frame/signed-notices.ts';
import { banner, linkTo } from '../frame/parts.ts';
import { forgetOverview } from '../sources/overview.ts';
import { runPath } from '../sources/paths.ts';

/** A redirect to the page that shows the result. */
type Redirect = Extract<Answer, { readonly to: string }>;

/** Who asks, and why, for the history. */
export const requestedBy = (asked: Asked, reason = ''): AskedFor => ({
  by: actorOf(asked),
  ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
});

/** Starts a run that a person asked for, and redirects to `path`, adding the outcome to those it already reports. */
export async function startAndRedirect(
  asked: Asked,
  path: string,
  setup: SourceSetup,
  begin: () => Promise<StartOutcome>,
): Promise<Redirect> {
  const told = (name: string, value: string): Redirect => ({
    to: `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`,
  });
  try {
    const started = await asked.operator.engine.carryOut(setup, begin);
    forgetOverview(asked);
    if (started.kind === 'busy') return told('busy', setup.name);
    return told('run', started.kind === 'writing' ? started.run : started.report.run);
  } catch (error) {
    if (error instanceof AppError) return { to: withNotice(asked, path, error.message) };
    throw error;
  }
}

const FORGOTTEN: Readonly<Record<string, string>> = {
  told: 'It has been taken off the site, and subscribers get it as cancelled, without its former content.',
  quiet: 'It has been taken off the site. No feed had told subscribers about it.',
};

/** Banners with the outcome of what was just done, one for each run. */
export async function resultBanners(asked: Asked): Promise<readonly Html[]> {
  const { url, base, operator } = asked;
  const named = (name: string): readonly string[] => url.searchParams.getAll(name);
  const busy = named('busy').filter((source) => operator.context.sources.has(source));
  const forgotten = named('forgotten').flatMap((how) => (Object.hasOwn(FORGOTTEN, how) ? (FORGOTTEN[how] ?? []) : []));
  const query = operator.context.database.query();
  const found = await Promise.all(named('run').map((run) => findRun(query, run)));
  const runs = await Promise.all(
    found.filter((run) => run !== undefined).map(async (record) => ({ record, what: await eventIn(asked, record) })),
  );
  return [
    ...busy.map((source) =>
      banner(
        'warn',
        html`<p>A run of ${source} is under way. Nothing was done; try again when it has ended.</p>`,
        true,
      ),
    ),
    ...forgotten.map((words) => banner('good', html`<p>${words}</p>`, true)),
    ...noticesOf(asked).map((words) =>
      banner('bad', html`<p>${messageHtml(asked, words, siteOfPage(asked))}</p>`, true),
    ),
    ...runs.map(({ record, what }) => {
      const [tone, words] = outcomeOf(record);
      const link = html`<a href="${linkTo({ base }, runPath(record.run))}">The run</a>`;
      const of = runs.length > 1 && ` (${record.source})`;
      return banner(
        tone,
        html`<p><b>${askedInWords(record.cause, what)}</b>${of}: ${messageHtml(asked, words, record.site)} ${link}</p>`,
        true,
      );
    }),
  ];
}

/** The site that the page's address names. */
const siteOfPage = ({ operator, url }: Asked): string | undefined =>
  operator.sites().find(({ name }) => name === url.searchParams.get('site'))?.key;

/** What a decision was about; "it" on the event's own page. */
async function eventIn({ operator, params }: Asked, { cause, site }: RunRecord): Promise<string> {
  if (!('of' in cause) || cause.kind === 'undo' || cause.of === params['slug']) return 'it';
  const entries = await findEntries(operator.context.database.query(), cause.of);
  const title = entries.find((entry) => entry.site === site)?.title;
  return title === undefined ? cause.of : inQuotes(title);
}

const ASKED: Readonly<Partial<Record<Cause['kind'], (what: string) => string>>> = {
  adopt: () => 'Taking over events',
  undo: () => 'Taking it back',
  restore: (what) => `Restoring ${what}`,
  retry: (what) => `Trying the picture of ${what} again`,
  lock: (what) => `Locking ${what}`,
  unlock: (what) => `Unlocking ${what}`,
  dismiss: (what) => `Taking ${what} off`,
  detach: (what) => `Making ${what} our own`,
  attach: (what) => `Giving ${what} back to its source`,
};

/** What a person asked for. */
function askedInWords(cause: Cause, what: string): string {
  if (cause.kind !== 'settle') return ASKED[cause.kind]?.(what) ?? causeInWords(cause);
  return 'of' in cause ? `Settling ${what} for the ${cause.winner}` : `Settling ${countInWords(cause.events, 'event')}`;
}

function outcomeOf({ state, report }: RunRecord): readonly ['good' | 'bad' | 'warn' | 'info', string] {
  const problems = (report?.problems ?? [])
    .map(({ message }) => message)
    .slice(0, 3)
    .join(' ');
  if (state === 'reading' || state === 'writing') return ['info', 'is being written now.'];
  if (state === 'failed') return ['bad', problems === '' ? 'has failed.' : problems];
  if (state === 'held') return ['info', 'waits for a decision.'];
  const writes = report ? report.created + report.updated + report.removed : 0;
  const done =
    writes === 0
      ? 'done; nothing had to be written.'
      : `done; ${countInWords(writes, 'event was', 'events were')} written.`;
  return problems === '' ? ['good', done] : ['warn', `${done} ${problems}`];
}
