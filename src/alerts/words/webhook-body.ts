import type { Report } from '../../sync/model/plan.ts';
import type { DueMessage } from '../decide/due-messages.ts';
import type { SourceWithState } from '../model/episode.ts';
import { paragraphText, type Message } from '../model/message.ts';

/** The body for programs: the event, the source, a sentence, and the report of the run it is about. */
export interface WebhookBody {
  readonly event: Message['kind'];
  readonly source: string | null;
  readonly run: string | null;
  readonly text: string;
  readonly report: Report | null;
  /** The page for people. */
  readonly link: string | null;
}

/** The run that a message is about. */
export function runOf({ kind }: Pick<DueMessage, 'kind'>, { facts }: SourceWithState): string | null {
  if (kind === 'held') return facts.held?.run ?? null;
  if (kind === 'failing') return facts.failures?.run ?? null;
  return facts.lastRun?.run ?? null;
}

export function webhookBody(
  due: DueMessage,
  watched: SourceWithState | undefined,
  message: Message,
  report: Report | null,
): WebhookBody {
  return {
    event: due.kind,
    source: watched?.facts.source ?? null,
    run: watched === undefined ? null : runOf(due, watched),
    text: watched === undefined ? bodyText(message) : sentenceOf(due, watched, message),
    report,
    link: message.links[0]?.href ?? null,
  };
}

const bodyText = ({ paragraphs }: Message): string => paragraphs.map(paragraphText).join('\n\n');

// Programs have relied on these three since the first version.
function sentenceOf({ kind, episodes }: DueMessage, { facts }: SourceWithState, message: Message): string {
  const { source, failures, held } = facts;
  if (kind === 'held') return `A run of ${source} waits for a person: ${held?.why ?? 'no reason was given'}`;
  if (kind === 'failing' && failures) {
    const { count } = failures;
    const often = count === 1 ? 'has failed, and was not read again for an hour' : `has failed ${count} times in a row`;
    return `${source} ${often}: ${failures.message ?? 'no reason was given'}`;
  }
  const isRead = episodes.some((each) => each.kind === 'failing' || each.kind === 'late');
  if (kind === 'recovered' && isRead) return `${source} works again.`;
  return bodyText(message);
}
