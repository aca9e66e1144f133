import { inQuotes } from '../../look/words/in-quotes.ts';
import { alertSettings } from '../../alerts/alert-settings.ts';
import { openAlertHttp } from '../../alerts/channels/alert-http.ts';
import { sendTest } from '../../alerts/send-test.ts';
import type { AlertSettings, ReceiverSetup } from '../../alerts/settings.ts';
import { countInWords } from '../../count-in-words.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { lastDeliveries, listDeliveries, type DeliveryRecord } from '../../run/deliveries/deliveries.ts';
import { actorOf } from '../frame/actor.ts';
import type { Answer, Asked, Sent } from '../frame/operator.ts';
import { banner, button, form, linkTo, mayChange, state } from '../frame/parts.ts';
import { icon } from '../frame/sprite.ts';
import { spanInWords } from '../../run/watch/moments.ts';
import { row, table, type Column } from '../frame/table.ts';
import { ago, moment } from '../frame/times.ts';
import { settingsMain } from '../settings/settings-frame.ts';

export const ALERTS_PATH = '/settings/alerts/';
/** The path of the page to add a receiver. */
export const ADD_PATH = `${ALERTS_PATH}add/`;

/** The path of the page to change or remove a receiver of the file. */
const receiverPath = (name: string): string => `${ALERTS_PATH}receivers/${encodeURIComponent(name)}/`;
const LOGGED_MAX = 50;

/** The alert settings of the configuration in force. */
export const settingsOf = ({ operator, zoneOf }: Pick<Asked, 'operator' | 'zoneOf'>): AlertSettings =>
  alertSettings(operator.config(), {
    base: operator.publicUrl,
    zoneOf,
    firstSite: operator.sites()[0]?.key ?? 'builtin',
  });

/** The receivers, the latest messages, and a test for each receiver. */
export async function showAlerts(asked: Asked): Promise<Answer> {
  const settings = settingsOf(asked);
  const query = asked.operator.context.database.query();
  const [last, { deliveries, count }] = [await lastDeliveries(query), await listDeliveries(query, LOGGED_MAX)];
  const { receivers, zone } = settings;
  const sentence =
    receivers.length === 0
      ? 'Nobody is notified when something needs a person.'
      : `${countInWords(receivers.length, 'receiver is', 'receivers are')} notified when something needs a ` +
        'person. What happens in quiet hours is reported afterwards, if it still applies.';
  return {
    title: 'Alerts',
    place: 'settings',
    main: settingsMain(
      asked,
      'alerts',
      sentence,
      html`${savedNow(asked)}${testedNow(asked, last)}
        <div class="stack-5">
          <section class="stack" aria-labelledby="receivers">
            <h2 id="receivers">Receivers</h2>
            ${receivers.length === 0 ? NOBODY : receiversTable(asked, receivers, last, zone)}${
              mayChange(asked) && html`<p><a class="btn" href="${linkTo(asked, ADD_PATH)}">Add a receiver</a></p>`
            }
          </section>
          <section aria-labelledby="log">
            <h2 id="log">
              What was sent ${count > 0 && html`<small>${sentInWords(deliveries.length, count)}</small>`}
            </h2>
            ${deliveries.length === 0 ? html`<p>Nothing yet.</p>` : logTable(asked, deliveries, zone)}
          </section>
        </div>`,
    ),
  };
}

const NOBODY = html`<div class="stack">
  <p>Add them to the configuration file, and they are notified from then on:</p>
  <pre class="code" tabindex="0" role="region" aria-label="Receivers of alerts, as the configuration has them">
alerts:
  mail: { server: smtp://mail.example.org:587, username: calendar, password: '\${SMTP_PASSWORD}', from: calendar@example.org }
  receivers:
    clerk: { mail: clerk@example.org }
    office: { slack: '\${SLACK_WEBHOOK}', hears: [held, recovered] }</pre>
</div>`;

/** A banner about what was just saved. Shows a name from the address only if it is a receiver in the configuration. */
function savedNow({ url, operator }: Asked): HtmlPart {
  const { receivers } = operator.config().alerts;
  const [saved, removed] = [url.searchParams.get('saved'), url.searchParams.has('removed')];
  if (removed) return banner('good', html`<p>The receiver was removed and gets no more messages.</p>`, true);
  return (
    receivers.some(({ name }) => name === saved) &&
    banner(
      'good',
      html`<p><b>${saved} is notified from now on.</b> Send it a test to see whether messages arrive.</p>`,
      true,
    )
  );
}

/** The result of the test that was just sent. */
function testedNow({ url }: Asked, last: ReadonlyMap<string, DeliveryRecord>): HtmlPart {
  const sent = last.get(url.searchParams.get('tested') ?? '');
  if (sent === undefined || sent.kind !== 'test') return undefined;
  return sent.state === 'sent'
    ? banner('good', html`<p><b>${sent.receiver} took the test message.</b> Look whether it has arrived.</p>`, true)
    : banner('bad', html`<p><b>${sent.receiver} did not accept the test message:</b> ${sent.answer}.</p>`, true);
}

function receiversTable(
  asked: Asked,
  receivers: readonly ReceiverSetup[],
  last: ReadonlyMap<string, DeliveryRecord>,
  zone: string,
): Html {
  const columns: readonly Column[] = ['Receiver', 'What', 'Last', { unseen: 'Try it' }];
  const rows = receivers.map((receiver) => {
    const sent = last.get(receiver.name);
    const told =
      sent &&
      html`${outcome(sent)} ${moment(sent.at.getTime(), zone, asked.now)}: ${inQuotes(sent.subject)} · ${sent.answer}`;
    return row(
      columns,
      [
        html`${nameShown(asked, receiver)}, ${receiver.channel}`,
        wishes(receiver),
        told ?? 'Nothing yet',
        testForm(asked, receiver),
      ],
      sent?.state === 'refused' && html` class="bad-row"`,
    );
  });
  return table('Receivers', columns, rows);
}

const testForm = (asked: Asked, { name }: ReceiverSetup): Html =>
  form(
    asked,
    html`<input type="hidden" name="receiver" value="${name}" />${button(
        'test',
        html`Send a test<span class="vh"> to ${name}</span>`,
      )}`,
    { path: ALERTS_PATH },
  );

/** Receivers of the file link to their form; `alerts.webhook` has none. */
const nameShown = (asked: Asked, { name }: ReceiverSetup): HtmlPart =>
  mayChange(asked) && asked.operator.config().alerts.receivers.some((each) => each.name === name)
    ? html`<a href="${linkTo(asked, receiverPath(name))}">${name}</a>`
    : name;

/** What a receiver is told, and when, in one line. */
function wishes({ hears, sources, afterMs, quiet, digestAt, code }: ReceiverSetup): string {
  return [
    hears.map((kind) => (kind === 'digest' ? `digest at ${clock(digestAt)}` : kind)).join(', '),
    ...(sources.length > 0 ? [`only ${sources.join(', ')}`] : []),
    ...(afterMs > 0 ? [`after ${spanInWords(afterMs)}`] : []),
    ...(quiet === undefined ? [] : [`quiet from ${clock(quiet.from)} to ${clock(quiet.to)}`]),
    ...(code === undefined ? [] : ['may decide with a code']),
  ].join(' · ');
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

const outcome = ({ state: how, tries }: DeliveryRecord): HtmlPart => {
  if (how === 'refused')
    return html`${state('failing', { word: 'not sent' })}${tries > 1 && ` (tried ${tries} times)`}`;
  return how === 'sent'
    ? state('well', { word: 'taken' })
    : state('late', { word: how === 'sending' ? 'on its way' : 'given up' });
};

function logTable(asked: Asked, deliveries: readonly DeliveryRecord[], zone: string): Html {
  const columns = ['When', 'To', 'What', 'Answer'];
  const rows = deliveries.map((sent) =>
    row(columns, [
      ago(sent.at.getTime(), zone, asked.now),
      html`${sent.channel === 'mail' && icon('mail')} ${sent.receiver}<br /><span class="small dim"
          >${sent.address}</span
        >`,
      html`${sent.subject}${sent.sentBy !== null && html`<br /><span class="small dim">sent by ${sent.sentBy}</span>`}`,
      html`${outcome(sent)} ${sent.answer}`,
    ]),
  );
  return table('What was sent, the latest first', columns, rows);
}

/** Sends a test message and shows the result. */
export async function testReceiver(asked: Asked, sent: Sent): Promise<Answer> {
  const settings = settingsOf(asked);
  const receiver = settings.receivers.find(({ name }) => name === sent.field('receiver'));
  if (receiver === undefined) return { to: ALERTS_PATH };
  const { context } = asked.operator;
  const http = openAlertHttp();
  try {
    await sendTest({ database: context.database, http, now: asked.now, settings }, receiver, actorOf(asked));
  } finally {
    await http.close();
  }
  return { to: `${ALERTS_PATH}?tested=${encodeURIComponent(receiver.name)}` };
}

const sentInWords = (shown: number, all: number): string =>
  shown < all ? `the last ${shown} of ${all}` : countInWords(all, 'message');
