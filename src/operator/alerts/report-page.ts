import { inQuotes } from '../../look/words/in-quotes.ts';
import { openAlertHttp } from '../../alerts/channels/alert-http.ts';
import { isAddress, sendLetter } from '../../alerts/send-letter.ts';
import { countInWords, timesInWords } from '../../count-in-words.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { safeLink } from '../../html/link.ts';
import { lettersStopped, listAnswers, type PublisherAnswer } from '../../publisher/answers.ts';
import { draftLetter } from '../../publisher/letter.ts';
import { publisherLink, rotateLink, type OwnSource } from '../../publisher/links.ts';
import { sourceReports, type SourceReport } from '../../publisher/source-report.ts';
import { deliveriesTo, type DeliveryRecord } from '../../run/deliveries/deliveries.ts';
import { publicAddress } from '../../run/fetch/public-address.ts';
import type { RunContext, SourceSetup } from '../../run/state/context.ts';
import { recordAct } from '../../run/watch/acts.ts';
import { loadFacts } from '../../run/watch/facts.ts';
import type { SourceFacts } from '../../run/watch/source-state.ts';
import type { FeedReport } from '../../sync/formats/publisher-report.ts';
import { actorOf } from '../frame/actor.ts';
import type { Answer, Asked, Page, Sent } from '../frame/operator.ts';
import { banner, button, crumbs, form, head, state } from '../frame/parts.ts';
import { moment } from '../frame/times.ts';
import { noSuchSource } from '../sources/no-such-source.ts';
import { sourcePath } from '../sources/paths.ts';
import { sourceTabs } from '../sources/source-tabs.ts';
import { settingsOf } from './settings-page.ts';

export const REPORT_PATH = '/sources/:source/report/';
const LETTERS_SHOWN = 10;

/** What the page of a source's report is built from. */
interface Known {
  readonly own: OwnSource;
  readonly setup: SourceSetup;
  readonly facts: SourceFacts;
  readonly report: FeedReport | undefined;
  readonly page: string;
  readonly zone: string;
}

const reporters = new WeakMap<RunContext, SourceReport>();

/** The reports of a running program, which caches them for a while. */
function reporterOf(context: RunContext): SourceReport {
  const known = reporters.get(context) ?? sourceReports(context);
  reporters.set(context, known);
  return known;
}

async function knownOf(asked: Asked): Promise<Known | undefined> {
  const { operator, now, zoneOf, params } = asked;
  const { context, publicUrl } = operator;
  const setup = context.sources.get(params['source'] ?? '');
  if (setup === undefined) return undefined;
  const query = context.database.query();
  const own = { site: setup.site.key, source: setup.name };
  const watched = (await operator.watched()).filter(({ source }) => source === setup.name);
  const [facts] = await loadFacts(query, watched, now);
  if (facts === undefined) return undefined;
  const zone = zoneOf(own.site);
  const { token } = await publisherLink(query, own, now);
  return {
    own,
    setup,
    facts,
    zone,
    page: `${publicUrl}/publisher/${token}`,
    report: await reporterOf(context)(setup, facts, zone),
  };
}

/** The publisher's page of a source, a letter to them, and their answers. */
export async function showReport(asked: Asked): Promise<Answer> {
  const known = await knownOf(asked);
  return known === undefined ? missing(asked) : reportPage(asked, known);
}

const missing = ({ params }: Asked): Page => noSuchSource(params['source'] ?? '');

interface Written {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

async function reportPage(asked: Asked, known: Known, written?: Written, said?: HtmlPart): Promise<Page> {
  const query = asked.operator.context.database.query();
  const { own, setup, report } = known;
  const answers = await listAnswers(query, own);
  const letters = await deliveriesTo(query, `publisher of ${own.source}`, LETTERS_SHOWN);
  return {
    title: `Report for the publisher of ${setup.name}`,
    place: 'sources',
    main: html`${crumbs(asked, [
        ['/sources/', 'Sources'],
        [sourcePath(setup.name), setup.name],
      ])}
      ${head('Report for the publisher', sentenceOf(report))}
      ${sourceTabs(asked, setup.name, 'report', { events: known.facts.kept, problems: report?.kinds.length ?? 0 })}
      ${said ?? saidIn(asked)}
      <div class="stack-5">
        <div class="half">
          <section aria-labelledby="page" class="stack">
            <h2 id="page">Their page</h2>
            ${linkSection(asked, known)}
          </section>
          <section aria-labelledby="letter" class="stack">
            <h2 id="letter">A letter to them</h2>
            ${letterSection(asked, known, written)}
          </section>
        </div>
        <section aria-labelledby="answers">
          <h2 id="answers">What they answered</h2>
          ${answersList(asked, answers, known.zone)}
        </section>
        ${
          letters.length > 0 &&
          html`<section aria-labelledby="letters">
            <h2 id="letters">Letters sent <small>the last ${letters.length}</small></h2>
            <ul class="rows tight">
              ${letters.map((each) => letterRow(asked, each, known.zone))}
            </ul>
          </section>`
        }
      </div>`,
  };
}

function sentenceOf(report: FeedReport | undefined): string {
  if (report === undefined) return 'The feed has not been read yet.';
  if (report.kinds.length === 0) return 'Nothing is wrong with the feed.';
  return `${countInWords(report.kinds.length, 'point')} for them to look at.`;
}

function linkSection(asked: Asked, { page, report }: Known): Html {
  const kinds = report?.kinds.slice(0, 5) ?? [];
  const more = (report?.kinds.length ?? 0) - kinds.length;
  return html`<p>
      Anyone who has this address sees how the feed is read, what is wrong with it and how to fix it, and can say
      whether it is still right. Nothing else.
    </p>
    <pre class="code" tabindex="0" role="region" aria-label="The address of their page">${page}</pre>
    ${
      kinds.length > 0 &&
      html`<ul>
        ${kinds.map(
          ({ title, count }) => html`<li>${title} <span class="small dim">${timesInWords(count)}</span></li>`,
        )}${more > 0 && html`<li>and ${more} more</li>`}
      </ul>`
    }
    <div class="row">
      ${safeLink({ class: 'btn', href: page }, 'Open their page')}
      <details class="menu">
        <summary class="btn bare">Make another address…</summary>
        <div class="stack">
          <p>The one above leads nowhere from then on, also in letters that were sent.</p>
          ${form(asked, button('rotate', 'Yes, make another', { kind: 'danger' }))}
        </div>
      </details>
    </div>`;
}

function letterSection(asked: Asked, known: Known, written: Written | undefined): Html {
  const { mail, title } = settingsOf(asked);
  const { setup, facts, report, zone } = known;
  const feed = setup.address === undefined ? setup.name : publicAddress(setup.address);
  const draft = draftLetter({ title, feed, facts, report, now: asked.now, zone });
  const letter = written ?? { to: addressOf(asked), ...draft };
  const content = html`<p>
      <label for="to">To</label><input id="to" name="to" type="email" required value="${letter.to}" />
    </p>
    <p>
      <label for="subject">Subject</label
      ><input id="subject" name="subject" required maxlength="180" value="${letter.subject}" />
    </p>
    <p>
      <label for="text">Letter</label
      ><textarea id="text" name="text" rows="9" required maxlength="10000">${letter.text}</textarea>
    </p>
    <p class="small dim">The address of their page and a link against further letters are added below it.</p>`;
  if (mail === undefined)
    return html`<div class="stack">
      ${content}
      <p>
        The console cannot send it: the configuration does not say how mails are sent (<code>alerts.mail</code>). Copy
        it into your own mail program.
      </p>
    </div>`;
  return form(
    asked,
    html`<div class="stack">
      ${content}
      <p class="row">
        ${button('write', 'Send the letter', { kind: 'go' })}<span class="small dim">from ${mail.from}</span>
      </p>
    </div>`,
  );
}

const addressOf = ({ operator, params }: Asked): string =>
  operator.config().sources.find(({ name }) => name === params['source'])?.publisher ?? '';

function answersList(asked: Asked, answers: readonly PublisherAnswer[], zone: string): Html {
  if (answers.length === 0) return html`<p>Nothing yet.</p>`;
  return html`<ul class="rows tight">
    ${answers.map(
      ({ at, isRight, text }) =>
        html`<li>
          ${isRight ? state('well', { word: 'it is right' }) : state('held', { word: 'something is not right' })}
          <span class="small dim">${moment(at.getTime(), zone, asked.now)}</span>${text !== '' && html`<p>${text}</p>`}
        </li>`,
    )}
  </ul>`;
}

const letterRow = (
  { now }: Asked,
  { at, address, subject, state: how, answer, sentBy }: DeliveryRecord,
  zone: string,
): Html =>
  html`<li>
    ${how === 'sent' ? state('well', { word: 'taken' }) : state('failing', { word: 'not sent' })} ${inQuotes(subject)}
    to ${address} <span class="small dim">${moment(at.getTime(), zone, now)}, by ${sentBy} · ${answer}</span>
  </li>`;

const SAID: Readonly<Record<string, string>> = {
  sent: 'The letter is on its way. The mail server took it.',
  rotated: 'Their page has another address now. The former one leads nowhere.',
};

function saidIn({ url }: Asked): HtmlPart {
  const said = url.searchParams.get('said') ?? '';
  return Object.hasOwn(SAID, said) ? banner('good', html`<p>${SAID[said]}</p>`, true) : undefined;
}

const reportPath = ({ params }: Asked): string => sourcePath(params['source'] ?? '', 'report');

/** Replaces the address of the publisher's page by a new one. */
export async function rotateReportLink(asked: Asked): Promise<Answer> {
  const known = await knownOf(asked);
  if (known === undefined) return missing(asked);
  const by = actorOf(asked);
  await asked.operator.context.database.query().transaction(async (transaction) => {
    await rotateLink(transaction, known.own, by.name, asked.now);
    await recordAct(transaction, by, { kind: 'alert', ...known.own, details: { rotated: true } });
  });
  return { to: `${reportPath(asked)}?said=rotated` };
}

/** Sends the letter. If something prevents that, shows the reason with everything that was typed. */
export async function sendReportLetter(asked: Asked, sent: Sent): Promise<Answer> {
  const known = await knownOf(asked);
  if (known === undefined) return missing(asked);
  const written = { to: sent.field('to').trim(), subject: sent.field('subject'), text: sent.field('text') };
  const { context } = asked.operator;
  const stopped = isAddress(written.to) ? await lettersStopped(context.database.query(), known.own, written.to) : null;
  if (stopped !== null)
    return reportPage(
      asked,
      known,
      written,
      banner(
        'warn',
        html`<p>
          <b>${written.to} wants no more letters about this feed</b>, since
          ${moment(stopped.getTime(), known.zone, asked.now)}. Nothing was sent.
        </p>`,
        true,
      ),
    );
  const http = openAlertHttp();
  try {
    const answer = await sendLetter(
      { database: context.database, http, now: asked.now, settings: settingsOf(asked) },
      {
        ...known.own,
        ...written,
        page: known.page,
        unsubscribe: `${known.page}/stop?${new URLSearchParams({ to: written.to }).toString()}`,
      },
      actorOf(asked),
    );
    if (answer.isAccepted) return { to: `${reportPath(asked)}?said=sent` };
    return await reportPage(
      asked,
      known,
      written,
      banner('bad', html`<p><b>The letter was not sent:</b> ${answer.words}.</p>`, true),
    );
  } finally {
    await http.close();
  }
}
