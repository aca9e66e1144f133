import { createHash } from 'node:crypto';
import { html, type Html } from '../html/template.ts';
import { formText, requestBytes, storable } from '../request-bytes.ts';
import type { RunContext, SourceSetup } from '../run/state/context.ts';
import type { ZoneOfSite } from '../run/state/site-zones.ts';
import { momentInWords } from '../run/watch/moments.ts';
import { reasonOf } from '../run/watch/state-in-words.ts';
import type { SourceFacts } from '../run/watch/source-state.ts';
import { countInWords } from '../count-in-words.ts';
import { ANSWER_TEXT_MAX, stopLetters, storeAnswer } from './answers.ts';
import { sourceOfToken, type OwnSource } from './links.ts';
import { feedReportPage, notePage, STYLE } from './report-page.ts';
import { sourceReports, theirFailures } from './source-report.ts';

/** What the publishers' pages are made from. */
export interface PublisherParts {
  readonly context: RunContext;
  readonly facts: (setup: SourceSetup, now: number) => Promise<SourceFacts>;
  readonly zones: () => Promise<ZoneOfSite>;
  /** The name of the calendar. */
  readonly title: () => string;
  /** The program's version. */
  readonly version: string;
}

const FORM_BYTES_MAX = 20_000;

// The address is the secret: it must not appear in referrers, search engines or caches.
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
};

/**
 * `/publisher/{token}`: how the feed that belongs to the token is read, what is wrong with it, and a question to the
 * publisher.
 */
export function makePublisherPages(parts: PublisherParts): (request: Request) => Promise<Response> {
  const reports = sourceReports(parts.context);
  return async (request) => {
    if (!['GET', 'HEAD', 'POST'].includes(request.method))
      return new Response('This page takes GET and POST.\n', { status: 405, headers: { Allow: 'GET, HEAD, POST' } });
    const url = new URL(request.url);
    const [, token = '', under] = /\/publisher\/([\w-]{16,64})(?:\/(stop))?\/?$/.exec(url.pathname) ?? [];
    const own = token === '' ? undefined : await sourceOfToken(parts.context.database.query(), token);
    const setup = own && parts.context.sources.get(own.source);
    if (own === undefined || setup?.site.key !== own.site) return answer(request, 404, MISSING);
    if (under === 'stop') return stop(parts, own, request, url);
    return request.method === 'POST' ? reply(parts, own, request) : show(setup, request, url);
  };

  async function show(setup: SourceSetup, request: Request, url: URL): Promise<Response> {
    const now = parts.context.now();
    const facts = await parts.facts(setup, now);
    const zone = (await parts.zones())(setup.site.key);
    const report = await reports(setup, facts, zone);
    const above = html`${thanks(url.searchParams.get('said'))}${standing(facts, parts.title(), now, zone)}`;
    if (report === undefined) return answer(request, 200, notePage('Feed report', html`${above}${QUESTION}`));
    return answer(request, 200, feedReportPage(report, { version: parts.version, above, below: QUESTION }));
  }
}

const answer = (request: Request, status: number, body: string): Response =>
  new Response(request.method === 'HEAD' ? null : body, { status, headers: HEADERS });

const MISSING = notePage(
  'There is no such page',
  html`<p>The address may have been replaced by a new one. Ask the person who sent it to you for the new one.</p>`,
);

/** How the feed is currently read, in words for its publisher. */
function standing(facts: SourceFacts, title: string, now: number, zone: string): Html {
  const { goodAt, coming } = facts;
  const failures = theirFailures(facts);
  const shown = `${title} shows ${coming === 0 ? 'no coming event' : countInWords(coming, 'coming event')} from it`;
  if (failures)
    return html`<div class="now bad"><p><b>It cannot be read now: ${reasonOf(failures)}.</b>
That has been so since ${momentInWords(failures.since, now, zone)}.</p>
<p>${shown}${goodAt !== null && `, as it was read ${momentInWords(goodAt, now, zone)}`}. How to fix it is explained below.</p></div>`;
  if (goodAt === null) return html`<div class="now"><p>It has not been read yet.</p></div>`;
  return html`<div class="now"><p><b>It is read, last ${momentInWords(goodAt, now, zone)}.</b> ${shown}.</p></div>`;
}

const THANKS: Readonly<Record<string, string>> = {
  right: 'Thank you. The people who run the calendar will see your answer.',
  wrong: 'Thank you. The people who run the calendar will see your answer and look into it.',
  many: 'Your answer was not saved, because there were too many today. Please write to the people who run the calendar.',
};

function thanks(said: string | null): Html | undefined {
  const text = said === null || !Object.hasOwn(THANKS, said) ? undefined : THANKS[said];
  return text === undefined ? undefined : html`<div class="now" role="status"><p>${text}</p></div>`;
}

// A form without an action is sent to the address of its page.
const QUESTION: Html = html`<section id="question">
<h2>Is this still right?</h2>
<p>The events shown from your feed, and what this page says about them.</p>
<form method="post">
<p><label for="text">What is not right, if anything</label>
<textarea id="text" name="text" maxlength="${ANSWER_TEXT_MAX}"></textarea></p>
<p><button class="go" name="answer" value="right">Yes, it is right</button> <button name="answer" value="wrong">No, something is not</button></p>
</form>
</section>`;

async function reply(parts: PublisherParts, own: OwnSource, request: Request): Promise<Response> {
  const form = await formOf(request);
  const said = form?.get('answer') ?? '';
  if (form === undefined || !['right', 'wrong'].includes(said))
    return answer(request, 400, notePage('Nothing was kept', html`<p>Go back and use one of the two buttons.</p>`));
  const isKept = await storeAnswer(
    parts.context.database.query(),
    own,
    said === 'right',
    storable(form.get('text') ?? ''),
    parts.context.now(),
  );
  return new Response(null, {
    status: 303,
    // Relative to the page itself, because the program may be served below a path.
    headers: { ...HEADERS, Location: `?said=${isKept ? said : 'many'}` },
  });
}

/** Stops the letters, by the button of the page or by the mail program itself (RFC 8058). */
async function stop(parts: PublisherParts, own: OwnSource, request: Request, url: URL): Promise<Response> {
  const address = url.searchParams.get('to') ?? '';
  if (!/^[^\s@\0]{1,64}@[^\s@\0]{1,200}$/.test(address)) return answer(request, 404, MISSING);
  if (request.method !== 'POST')
    return answer(
      request,
      200,
      notePage(
        'No more letters?',
        html`<form method="post"><p>${parts.title()} will not write to ${address} about this feed again.</p>
<p><button class="go">No more letters</button></p></form>`,
      ),
    );
  if (!(await stopLetters(parts.context.database.query(), own, address, parts.context.now())))
    return answer(
      request,
      429,
      notePage(
        'Nothing was kept',
        html`<p>Very many addresses were given for this feed. Please answer the letter instead.</p>`,
      ),
    );
  return answer(
    request,
    200,
    notePage('Done', html`<p>${parts.title()} will not write to ${address} about this feed again.</p>`),
  );
}

async function formOf(request: Request): Promise<URLSearchParams | undefined> {
  const bytes = await requestBytes(request, FORM_BYTES_MAX);
  return bytes && new URLSearchParams(formText(bytes));
}
