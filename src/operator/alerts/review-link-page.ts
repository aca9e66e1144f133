import { inQuotes } from '../../look/words/in-quotes.ts';
import { createHash } from 'node:crypto';
import { checkCode, readReviewToken, reviewKey, WRONG_CODES_MS } from '../../alerts/review-link.ts';
import { reviewOfRun } from '../../alerts/load-message-facts.ts';
import type { ReceiverConfig } from '../../config/config.ts';
import type { Queryable } from '../../db/database.ts';
import { countInWords } from '../../count-in-words.ts';
import { AppError } from '../../error.ts';
import { html, type Html } from '../../html/template.ts';
import { notePage, STYLE } from '../../publisher/report-page.ts';
import { isSameSecret } from '../../redact.ts';
import { formText, requestBytes, storable } from '../../request-bytes.ts';
import { approveRun, rejectRun, type ApprovalResult } from '../../run/decisions/approve-run.ts';
import { undoneBy } from '../../run/state/causes.ts';
import { loadHeldPlan } from '../../run/state/held-plans.ts';
import { findRun, type RunRecord } from '../../run/state/records.ts';
import { zonesOfSites } from '../../run/state/site-zones.ts';
import { actInWords, actsOfRuns, type Actor } from '../../run/watch/acts.ts';
import { FIELD_NAMES, type FieldName } from '../../sync/model/fields.ts';
import type { EventAction, LedgerEntry, Plan } from '../../sync/model/plan.ts';
import { countsOf, groupOf, GROUPS, type Group, type GroupCounts } from '../../sync/review/review.ts';
import { IF_NOTHING_IS_DONE, reviewTitle, whatVisitorsNotice, whyHeld } from '../../sync/review/review-in-words.ts';
import { plainText } from '../../sync/review/emphasized-text.ts';
import { fieldInWords } from '../frame/field-labels.ts';
import { REASON_MAX, reasonIn } from '../frame/actor.ts';
import type { Operator } from '../frame/operator.ts';
import { retryAfter } from '../../budget.ts';

/** The parts of the console that these pages need. */
export type ReviewParts = Pick<Operator, 'context' | 'config' | 'engine'>;

// Enough for each listed event to be named twice.
const FORM_BYTES_MAX = 50_000;
const LISTED_MAX = 60;

// The address is half of a key, so it is sent to no other site, indexed by no search engine, and stored in no cache.
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** A receiver who has a code, and the run of the plan that the link leads to. */
interface Link {
  readonly receiver: ReceiverConfig;
  readonly run: RunRecord;
}

/**
 * Serves `/review/{token}`, a held plan for someone who is not signed in. Opening the page decides nothing; that takes
 * the code.
 */
export function makeReviewPages(parts: ReviewParts): (request: Request, peer: string) => Promise<Response> {
  return async (request, peer) => {
    if (!['GET', 'HEAD', 'POST'].includes(request.method))
      return new Response('This page takes GET and POST.\n', { status: 405, headers: { Allow: 'GET, HEAD, POST' } });
    const link = await linkOf(parts, new URL(request.url));
    if (link === undefined) return answer(request, 404, GONE);
    if (link.run.state !== 'held') return answer(request, 200, await closedPage(parts, link.run, request.method));
    if (request.method !== 'POST') return answer(request, 200, await planPage(parts, link));
    return decide(parts, link, request, peer);
  };
}

const answer = (
  request: Request,
  status: number,
  body: string,
  more: Readonly<Record<string, string>> = {},
): Response => new Response(request.method === 'HEAD' ? null : body, { status, headers: { ...HEADERS, ...more } });

const GONE = notePage(
  'This link leads nowhere',
  html`<p>It is for one plan and for nine days. The next message has a new one, and the console has all plans.</p>`,
);

async function linkOf({ context, config }: ReviewParts, { pathname }: URL): Promise<Link | undefined> {
  const query = context.database.query();
  const [, token] = /\/review\/([\w-]+\.[\w-]+)\/?$/.exec(pathname) ?? [];
  const said = token === undefined ? undefined : readReviewToken(await reviewKey(query), token);
  if (said === undefined || said.until < context.now()) return undefined;
  const receiver = config().alerts.receivers.find(({ name, code }) => name === said.receiver && code !== undefined);
  const run = await findRun(query, said.run);
  return receiver && run ? { receiver, run } : undefined;
}

async function closedPage({ context }: ReviewParts, run: RunRecord, method: string): Promise<string> {
  const acts = (await actsOfRuns(context.database.query(), [run.run])).get(run.run) ?? [];
  const act = acts.find(({ kind }) => kind === 'approve' || kind === 'reject');
  const said = act
    ? `${actInWords(act)}${act.reason === null ? '' : `: ${inQuotes(act.reason)}`}.`
    : `This plan of ${run.source} is out of date: its feed has changed, and what is to be decided now is in the console or in a newer message.`;
  const title = method === 'POST' ? 'Nothing was done: this plan is closed' : 'This plan is closed';
  return notePage(title, html`<p>${said}</p>`);
}

/** The state of a submitted form that is shown again. */
interface Filled {
  readonly said?: Html;
  /** Slugs of events that are not ticked. */
  readonly except?: readonly string[];
}

const GROUP_TITLES: Readonly<Record<Group, string>> = {
  remove: 'Removed',
  move: 'Another date or place',
  change: 'Otherwise changed',
  new: 'New',
};

async function planPage(parts: ReviewParts, { receiver, run }: Link, { said, except }: Filled = {}): Promise<string> {
  const { context, config } = parts;
  const query = context.database.query();
  const now = context.now();
  const { site, source } = run;
  const plan = await loadHeldPlan(query, run.run);
  const review = await reviewOfRun(query, run.run, { site, source, now });
  const zone = (await zonesOfSites(query, config().builtin.timezone))(site);
  const reader = { source, now, zone, undoes: undoneBy(run.cause) };
  const title = review ? reviewTitle(review, reader) : `A plan of ${source} waits for a decision`;
  const why = review ? plainText(whyHeld(review, reader)) : (plan?.held ?? '');
  return notePage(
    title,
    html`${said}
      <div class="now bad">
        <p><b>${why}</b></p>
        ${review && html`<p>If it is approved: ${whatVisitorsNotice(review, reader).map(plainText).join(' ')}</p>`}
        <p>If nothing is done, ${IF_NOTHING_IS_DONE}</p>
      </div>
      <form method="post">
        ${plan && listOf(plan, new Set(except))}
        <section>
          <h2>Decide</h2>
          <p>
            <label for="code">The code of ${receiver.name}</label>
            <input id="code" name="code" type="password" required autocomplete="off" />
          </p>
          <p>
            <label for="reason">Why (kept in the history)</label>
            <input id="reason" name="reason" maxlength="${REASON_MAX}" />
          </p>
          <p>
            <button class="go" name="do" value="approve">Approve: write what is ticked</button>
            <button name="do" value="reject">Reject: write nothing</button>
          </p>
          <p class="more">What is not ticked stays as it is on the site.</p>
        </section>
      </form>`,
  );
}

/** The events that the page lists, and how many there are in each group. */
function listedOf({ actions }: Plan): {
  readonly shown: readonly { readonly group: Group; readonly action: EventAction }[];
  readonly counts: GroupCounts;
  readonly more: number;
} {
  const events = actions.flatMap((action) => {
    const group = groupOf(action);
    return group !== null && action.resource === 'events' ? [{ group, action }] : [];
  });
  const shown = events
    .toSorted((one, other) => GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group))
    .slice(0, LISTED_MAX);
  return { shown, counts: countsOf(actions), more: events.length - shown.length };
}

/** The events with their checkboxes. Events that are not listed are written with the rest, as the page says. */
function listOf(plan: Plan, except: ReadonlySet<string>): Html {
  const { shown, counts, more } = listedOf(plan);
  const row = (action: EventAction): Html =>
    html`<li>
      <label
        ><input type="checkbox" name="tick" value="${action.slug}" ${!except.has(action.slug) && html` checked`} />
        ${titleOf(action)} <span class="more">${aboutOf(action, plan.ledger[action.slug]?.entry)}</span></label
      >
    </li>`;
  const slugs = shown.map(({ action: { slug } }) => slug).join(' ');
  return html`<input type="hidden" name="shown" value="${slugs}" />${[...Map.groupBy(shown, ({ group }) => group)].map(
      ([group, own]) =>
        html`<section>
          <h2>${GROUP_TITLES[group]} ${counts[group]}</h2>
          <ul class="ticks">
            ${own.map(({ action }) => row(action))}
          </ul>
        </section>`,
    )}${more > 0 && html`<p class="more">And ${countInWords(more, 'more event')}, which approving writes, too: the console shows all.</p>`}`;
}

/**
 * The title that visitors see, and the new one if it changes. If many events get the same title, only the old ones tell
 * them apart.
 */
function titleOf(action: EventAction): string {
  const { from, to } = (action.kind === 'update' && action.changes['title']) || {};
  return from === undefined ? action.title : `${String(from)} → ${String(to)}`;
}

/** The date of the event, and its other changes. */
function aboutOf(action: EventAction, entry: LedgerEntry | undefined): string {
  const fields = action.kind === 'update' ? FIELD_NAMES.filter((field) => action.changes[field] !== undefined) : [];
  const others = fields.filter((field) => !TOLD.has(field)).map(fieldInWords);
  return [dateOf(action, entry), ...others].filter((part) => part !== '').join(', ');
}

/** Fields whose changes the title and the date already show. */
const TOLD: ReadonlySet<FieldName> = new Set(['title', 'start_date', 'end_date']);

/** The wall-clock time at its place, with the former one if it changes; '' if unknown. */
function dateOf(action: EventAction, entry: LedgerEntry | undefined): string {
  if (action.kind === 'update') {
    const { start_date: start } = action.changes;
    return start === undefined
      ? minutesOf(action.fields['start_date'] ?? entry?.fields.start_date?.feed)
      : `${minutesOf(start.from)} → ${minutesOf(start.to)}`;
  }
  return minutesOf((action.kind === 'remove' ? action.before : action.fields)['start_date']);
}

const minutesOf = (wall: unknown): string => (typeof wall === 'string' ? wall.slice(0, 16) : '');

async function decide(parts: ReviewParts, link: Link, request: Request, peer: string): Promise<Response> {
  const { context } = parts;
  const { receiver, run } = link;
  const query = context.database.query();
  const now = context.now();
  const bytes = await requestBytes(request, FORM_BYTES_MAX);
  const form = new URLSearchParams(bytes ? formText(bytes) : '');
  const wish = form.get('do') ?? '';
  const except = await exceptIn(query, run, form);
  if (!['approve', 'reject'].includes(wish)) return answer(request, 400, await planPage(parts, link, { except }));
  const isRight = receiver.code !== undefined && isSameSecret(form.get('code') ?? '', receiver.code.reveal());
  const given = await checkCode(query, receiver.name, isRight, now);
  if (given === 'locked out')
    return answer(
      request,
      429,
      notePage('Too many wrong codes', html`<p>Try again in an hour, or sign in to the console.</p>`),
      retryAfter(WRONG_CODES_MS),
    );
  if (given === 'wrong')
    return answer(
      request,
      403,
      await planPage(parts, link, {
        except,
        said: html`<div class="now bad" role="alert">
          <p>That is not the code of ${receiver.name}. Nothing was done.</p>
        </div>`,
      }),
    );
  const by: Actor = { name: receiver.name, from: 'mail', address: peer };
  const reason = reasonIn({ field: (name) => storable(form.get(name) ?? '') });
  try {
    return answer(request, 200, await decided(parts, run, wish === 'approve', { by, reason, except }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return answer(request, 409, notePage('Nothing was done', html`<p>${error.message}</p>`));
  }
}

/** The slugs of events that the form listed and that are not ticked. */
async function exceptIn(query: Queryable, { run }: RunRecord, form: URLSearchParams): Promise<readonly string[]> {
  const plan = await loadHeldPlan(query, run);
  const ticked = new Set(form.getAll('tick'));
  const shown = new Set((form.get('shown') ?? '').split(' '));
  const listed = plan ? listedOf(plan).shown.map(({ action: { slug } }) => slug) : [];
  return listed.filter((slug) => shown.has(slug) && !ticked.has(slug));
}

async function decided(
  { context, engine }: ReviewParts,
  { run, source, site }: RunRecord,
  isApproved: boolean,
  { by, reason, except }: Required<ApprovalResult>,
): Promise<string> {
  if (!isApproved) {
    await rejectRun(context, run, { by, reason });
    return notePage('Rejected', html`<p>Nothing was written. A new plan is made when the feed changes.</p>`);
  }
  const setup = context.sources.get(source);
  if (setup?.site.key !== site)
    return notePage('Nothing was done', html`<p>The configuration has no source ${source} any more.</p>`);
  const started = await engine.carryOut(setup, () => approveRun(context, setup, run, { by, reason, except }));
  if (started.kind === 'busy')
    return notePage('Nothing was done', html`<p>${source} is being read right now. Try again in a minute.</p>`);
  return notePage(
    'Approved',
    html`<p>
      It is being
      written${except.length > 0 && ` without ${countInWords(except.length, 'event')}, as you left them out`}. What was
      edited on the site since the plan was made is left alone.
    </p>`,
  );
}
