import { inQuotes } from '../../look/words/in-quotes.ts';
import { timesInWords } from '../../count-in-words.ts';
import { alertSettings } from '../../alerts/alert-settings.ts';
import { openAlertHttp } from '../../alerts/channels/alert-http.ts';
import { sendTest } from '../../alerts/send-test.ts';
import type { ReceiverSetup } from '../../alerts/settings.ts';
import { shownAddress } from '../../alerts/channels/deliver.ts';
import { lastDeliveries, type DeliveryRecord } from '../../run/deliveries/deliveries.ts';
import { zonesOfSites } from '../../run/state/site-zones.ts';
import { commandActor } from '../../run/watch/acts.ts';
import type { Database } from '../../db/database.ts';
import { timeIn } from '../../time-in-words.ts';
import { firstSiteOf } from '../open/alerts.ts';
import { withDatabase } from '../open/open-database.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { EXIT, printJson, type ExitCode } from '../terminal/io.ts';
import { ownAddress } from '../terminal/own-address.ts';
import { okOrBad, printLines, printTable } from '../terminal/screen.ts';
import { zonesNote } from '../text/time-column.ts';
import { knownNames } from '../text/unknown-name.ts';
import { whileWorking } from '../progress/working.ts';
import { WrongUse } from '../terminal/wrong-use.ts';

type AlertsCall = Call<readonly [action?: string, receiver?: string]>;

/** `alerts [test [RECEIVER]]`: lists the receivers and the latest messages, or sends a test message. */
export const command = commandOf({
  group: 'Start and check',
  usage: 'alerts [action] [receiver]',
  description: 'who is notified when something needs a person; "alerts test [RECEIVER]" sends a test message',
  example: 'alerts test clerk',
  choices: { action: ['test'] },
  act: async (call: AlertsCall) => withDatabase(call.config, call.io, (database) => act(call, database)),
});

async function act(call: AlertsCall, database: Database): Promise<ExitCode> {
  const {
    config,
    args: [action, name],
  } = call;
  if (action !== undefined && action !== 'test')
    throw new WrongUse(`There is no "alerts ${action}": use "alerts", or "alerts test" with the name of a receiver.`);
  const zoneOf = await zonesOfSites(database.query(), config.builtin.timezone);
  const settings = alertSettings(config, { base: ownAddress(config), zoneOf, firstSite: firstSiteOf(config) });
  if (action === undefined) return list(call, database, settings.receivers, settings.zone);
  const chosen = settings.receivers.filter((each) => name === undefined || each.name === name);
  if (chosen.length === 0) throw new WrongUse(nobody(name, settings.receivers));
  const http = openAlertHttp();
  try {
    const means = { database, http, now: call.io.now(), settings };
    let done = 0;
    const answers = await whileWorking(call.io, 'sending', ({ tell }) =>
      Promise.all(
        chosen.map(async (receiver) => {
          const answer = await sendTest(means, receiver, commandActor());
          done += 1;
          tell({ done, of: chosen.length, unit: 'messages' });
          return { receiver: receiver.name, ...answer };
        }),
      ),
    );
    if (call.options.json)
      printJson(call.io, {
        tests: answers.map(({ receiver, isAccepted: isTaken, words }) => ({ receiver, taken: isTaken, answer: words })),
      });
    else
      printTable(call.io, {
        rows: answers.map(({ receiver, isAccepted: isTaken, words }) => ({
          cells: [okOrBad(isTaken), receiver, words],
        })),
      });
    return answers.every(({ isAccepted: isTaken }) => isTaken) ? EXIT.done : EXIT.failed;
  } finally {
    await http.close();
  }
}

function nobody(name: string | undefined, receivers: readonly ReceiverSetup[]): string {
  if (receivers.length === 0) return 'The configuration names nobody to notify: add receivers under alerts.';
  return `There is no receiver "${name}". ${knownNames(
    name ?? '',
    receivers.map((each) => each.name),
    'There are',
  )}`;
}

async function list(
  { io, options }: AlertsCall,
  database: Database,
  receivers: readonly ReceiverSetup[],
  zone: string,
): Promise<ExitCode> {
  const last = await lastDeliveries(database.query());
  if (options.json)
    printJson(io, {
      receivers: receivers.map((receiver) => ({
        name: receiver.name,
        channel: receiver.channel,
        address: shownAddress(receiver),
        hears: receiver.hears,
        sources: receiver.sources,
        last: lastAsJson(last.get(receiver.name)),
      })),
    });
  else if (receivers.length === 0) io.out('Nobody is notified: the configuration has no receivers under alerts.\n');
  else {
    printTable(io, {
      headings: ['receiver', 'where, and what it hears'],
      rows: receivers.map((receiver) => {
        const sent = last.get(receiver.name);
        return {
          cells: [
            receiver.name,
            `${receiver.channel} to ${shownAddress(receiver)}; hears ${receiver.hears.join(', ')}`,
          ],
          below: sent === undefined ? [] : [lastInWords(sent, timeIn(zone))],
        };
      }),
    });
    if (receivers.some(({ name }) => last.has(name))) printLines(io, [zonesNote(['builtin'], () => zone)]);
  }
  return EXIT.done;
}

const lastAsJson = (sent: DeliveryRecord | undefined): object | null =>
  sent === undefined
    ? null
    : { at: sent.at.toISOString(), subject: sent.subject, state: sent.state, tries: sent.tries, answer: sent.answer };

function lastInWords({ at, subject, state, tries, answer }: DeliveryRecord, timeAt: (time: Date) => string): string {
  const outcome = state === 'sent' ? answer : `NOT SENT, tried ${timesInWords(tries)}: ${answer ?? 'no answer yet'}`;
  return `${timeAt(at)}  ${inQuotes(subject)}  ${outcome}`;
}
