import type { Http } from '../client/http.ts';
import type { Database, Queryable } from '../db/database.ts';
import type { Logger } from '../log.ts';
import {
  claimDelivery,
  digestDays,
  deleteReportedEpisodes,
  giveUpDelivery,
  giveUpUnconfigured,
  loadReportedEpisodes,
  lostDeliveries,
  recordReported,
  receiversInTrouble,
  refuseDelivery,
  settleDelivery,
  acceptedBetween,
  reportsWithoutEnd,
  wasDelivered,
  type Effect,
  type NewDelivery,
  type ReceiverTrouble,
  type EpisodeRecord,
} from '../run/deliveries/deliveries.ts';
import { loadRun } from '../run/state/records.ts';
import { backupState } from '../backup/records.ts';
import { unlessBusy } from '../db/alone.ts';
import type { DeliveryResult } from './channels/delivery-result.ts';
import { deliver, shownAddress, type DeliveryContent } from './channels/deliver.ts';
import {
  BACKUP_END_KEY,
  BACKUP_KEY,
  dueMessages,
  RATE_WINDOW_MS,
  type BackupTrouble,
  type DueMessage,
  type DueEpisode,
} from './decide/due-messages.ts';
import { REVIEW_LINK_MS, reviewKey, reviewToken } from './review-link.ts';
import type { Message } from './model/message.ts';
import { messageIdOf, threadOf } from './message-ids.ts';
import { sourceKeyOf, type Submissions, type ReportedEpisode, type SourceWithState } from './model/episode.ts';
import type { AlertSettings, ReceiverSetup } from './settings.ts';
import { loadMessageFacts } from './load-message-facts.ts';
import { runOf, webhookBody } from './words/webhook-body.ts';
import { writeMessage, type MessageFacts } from './words/write-message.ts';

/** What a check for due messages needs. */
export interface AlertCheck {
  readonly database: Database;
  readonly log: Logger;
  readonly http: Http;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** The state of all configured sources. */
  readonly watched: (now: number) => Promise<readonly SourceWithState[]>;
  /** What waits for editors. */
  readonly submissions: () => Promise<Submissions>;
  readonly settings: AlertSettings;
  /** When this process began to check (epoch milliseconds). */
  readonly checkingSince: number;
}

/** Sends what is due now, unless another process is doing so. */
export async function sendDueMessages(check: AlertCheck): Promise<void> {
  if (check.settings.receivers.length === 0) return;
  await unlessBusy(check.database, 'alerts', async () => {
    await resendLost(check);
    await sendDue(check);
  });
}

async function sendDue(check: AlertCheck): Promise<void> {
  const { database, settings, watched, checkingSince } = check;
  const [now, query] = [check.now(), database.query()];
  const [known, submissions, told, lately, digested, trouble, backup, backupsTold] = [
    await watched(now),
    await check.submissions(),
    // The kinds are those written by this program.
    (await loadReportedEpisodes(query)) as readonly ReportedEpisode[],
    await acceptedBetween(query, now - RATE_WINDOW_MS, now),
    await digestDays(query),
    await receiversInTrouble(query, now),
    await backupTrouble(query),
    await reportsWithoutEnd(query, BACKUP_KEY, BACKUP_END_KEY),
  ];
  const { receivers, zone } = settings;
  const { due, forgotten } = dueMessages({
    now,
    zone,
    watched: known,
    submissions,
    receivers,
    told,
    lately,
    digested,
    backup,
    backupsTold,
    checkingSince,
  });
  await deleteReportedEpisodes(query, forgotten);
  await giveUpUnconfigured(
    query,
    receivers.map(({ name }) => name),
  );
  const open = due.filter(({ receiver }) => (trouble.get(receiver.name)?.until ?? now) <= now);
  if (open.length === 0) return;
  const written = await loadMessageFacts(query, settings, open, { watched: known, submissions, backup }, now);
  await Promise.all(
    receivers.map((receiver) =>
      sendAll(
        check,
        receiver,
        open.filter((each) => each.receiver.name === receiver.name),
        written,
        trouble.get(receiver.name),
      ),
    ),
  );
}

async function backupTrouble(query: Queryable): Promise<BackupTrouble | null> {
  const { last, lastGood, failingSince } = await backupState(query);
  return failingSince && last
    ? { since: failingSince.getTime(), problem: last.problem ?? '', lastGood: lastGood?.endedAt?.getTime() ?? null }
    : null;
}

/** Sends messages one after the other until one is refused, as the next would be. */
async function sendAll(
  check: AlertCheck,
  receiver: ReceiverSetup,
  due: readonly DueMessage[],
  written: MessageFacts,
  trouble: ReceiverTrouble | undefined,
): Promise<void> {
  let refusals = trouble?.refusals ?? 0;
  for (const each of due) {
    const delivery = await deliveryOf(check, receiver, each, written);
    if (await isKnown(check, delivery)) continue;
    const id = await claimDelivery(check.database.query(), delivery, check.now());
    if (id === undefined) continue;
    if (!(await send(check, receiver, { ...delivery, id }, refusals))) return;
    refusals = 0;
  }
}

/**
 * Whether a receiver was told the very same before. A process whose configuration lacks the receiver or the source may
 * have forgotten that.
 */
async function isKnown({ database, now }: AlertCheck, delivery: NewDelivery): Promise<boolean> {
  const query = database.query();
  if (!(await wasDelivered(query, delivery))) return false;
  await query.transaction((transaction) => recordReported(transaction, effectOf(delivery), now()));
  return true;
}

async function deliveryOf(
  check: AlertCheck,
  receiver: ReceiverSetup,
  due: DueMessage,
  written: MessageFacts,
): Promise<NewDelivery> {
  const { database, settings } = check;
  const message = await withReviewLink(check, receiver, due, written, writeMessage(due, written));
  const from = settings.mail?.from;
  const messageId = messageIdOf(receiver.name, due.key, from);
  const sources = [...new Set(due.episodes.map(sourceKeyOf))];
  const only =
    sources.length === 1 ? written.watched.find(({ facts }) => sourceKeyOf(facts) === sources[0]) : undefined;
  const run = only === undefined || receiver.channel !== 'webhook' ? null : runOf(due, only);
  const report = run === null ? null : ((await loadRun(database.query(), run))?.report ?? null);
  const content: DeliveryContent = {
    message,
    references: only === undefined ? [] : referencesOf(due.episodes, from),
    body: receiver.channel === 'webhook' ? webhookBody(due, only, message, report) : null,
  };
  return {
    receiver: receiver.name,
    key: due.key,
    kind: due.kind,
    channel: receiver.channel,
    address: shownAddress(receiver),
    subject: message.subject,
    messageId,
    content,
    episodes: due.episodes.map((episode) => toldOf(receiver.name, episode, messageId)),
  };
}

/** A link lets receivers with a code decide on a held plan without signing in. */
async function withReviewLink(
  { database, settings, now }: AlertCheck,
  { name, code }: ReceiverSetup,
  { kind, episodes }: DueMessage,
  { watched }: MessageFacts,
  message: Message,
): Promise<Message> {
  const [episode, ...others] = episodes;
  if (kind !== 'held' || code === undefined || episode === undefined || others.length > 0) return message;
  const run = watched.find(({ facts }) => sourceKeyOf(facts) === sourceKeyOf(episode))?.facts.held?.run;
  if (run === undefined) return message;
  const token = reviewToken(await reviewKey(database.query()), { run, receiver: name, until: now() + REVIEW_LINK_MS });
  return {
    ...message,
    links: [...message.links, { words: 'Decide with your code', href: `${settings.base}/review/${token}` }],
  };
}

const toldOf = (
  receiver: string,
  { kind, site, source, about, since, stage, told }: DueEpisode,
  messageId: string,
): EpisodeRecord => ({ receiver, kind, site, source, about, since, stage, messageId: told?.messageId ?? messageId });

/** All mails about a source form one thread, and those about an episode follow its first. */
function referencesOf(episodes: readonly DueEpisode[], from: string | undefined): readonly string[] {
  const [first] = episodes;
  if (first === undefined) return [];
  const before = episodes.flatMap(({ told }) => told?.messageId ?? []);
  return [...new Set([threadOf(first.site, first.source, from), ...before])];
}

type Claimed = NewDelivery & { readonly id: string };

/** Sends a claimed message and records the result. Returns whether it was accepted. */
async function send(check: AlertCheck, receiver: ReceiverSetup, delivery: Claimed, refusals: number): Promise<boolean> {
  const { database, http, settings } = check;
  const content = delivery.content as DeliveryContent;
  const answer = await deliver(receiver, content, delivery.messageId, { http, mail: settings.mail });
  if (answer.isAccepted)
    await database
      .query()
      .transaction((transaction) =>
        settleDelivery(transaction, delivery.id, answer.words, effectOf(delivery), check.now()),
      );
  else await refused(check, delivery, answer, refusals);
  return answer.isAccepted;
}

const effectOf = ({ kind, episodes }: NewDelivery): Effect =>
  kind === 'recovered' ? { told: [], over: episodes } : { told: episodes, over: [] };

const MINUTE_MS = 60_000;
const RETRY_MINUTES = [1, 5, 15];
const RETRY_MINUTES_MAX = 60;

async function refused(
  { database, log, now }: AlertCheck,
  delivery: Claimed,
  answer: DeliveryResult,
  refusals: number,
): Promise<void> {
  const minutes = RETRY_MINUTES[refusals] ?? RETRY_MINUTES_MAX;
  await refuseDelivery(database.query(), delivery.id, answer.words, now() + minutes * MINUTE_MS, now());
  log.error(
    { receiver: delivery.receiver, kind: delivery.kind, answer: answer.words },
    `an alert was not accepted; trying again in ${minutes} min`,
  );
}

/** What a dead process may have sent is sent again as the very same message. */
async function resendLost(check: AlertCheck): Promise<void> {
  const query = check.database.query();
  for (const lost of await lostDeliveries(query, check.now())) {
    const receiver = check.settings.receivers.find(({ name }) => name === lost.receiver);
    if (receiver === undefined) await giveUpDelivery(query, lost.id, check.now());
    else await send(check, receiver, lost, lost.tries);
  }
}
