import { countInWords } from '../../count-in-words.ts';
import { backupState } from '../../backup/records.ts';
import type { Queryable } from '../../db/database.ts';
import { whereInWords, type Problem } from '../../problem.ts';
import { undelivered } from '../deliveries/deliveries.ts';
import { listConfigs } from './process-configs.ts';

/** Something that waits for a person and does not concern a particular source. */
export interface GeneralMatter {
  readonly kind: 'backup' | 'config' | 'messages' | 'handed-in' | 'suggestions';
  readonly title: string;
  readonly consequence: string;
  /** In epoch milliseconds. */
  readonly since: number;
}

/** Configuration files that are not in force, failing backups, and receivers that messages do not reach. */
export async function generalMatters(
  query: Queryable,
  receivers: readonly string[],
): Promise<readonly GeneralMatter[]> {
  const [config, backups, unreached] = await Promise.all([
    brokenConfig(query),
    failingBackups(query),
    unreachedReceivers(query, receivers),
  ]);
  return [...config, ...backups, ...unreached];
}

async function failingBackups(query: Queryable): Promise<readonly GeneralMatter[]> {
  const { last, lastGood, failingSince } = await backupState(query);
  if (failingSince === null) return [];
  const good = lastGood ? 'The last good one is kept.' : 'There is no good one.';
  return [
    {
      kind: 'backup',
      title: 'The backup has failed',
      consequence: `${last?.problem ?? ''} ${good} It is tried again automatically.`.trim(),
      since: failingSince.getTime(),
    },
  ];
}

/** Reported once for all processes, as they read the same file. */
async function brokenConfig(query: Queryable): Promise<readonly GeneralMatter[]> {
  const broken = (await listConfigs(query)).find(({ problems }) => problems.length > 0);
  const [first] = broken?.problems ?? [];
  if (!broken || !first) return [];
  const more = broken.problems.length - 1;
  return [
    {
      kind: 'config',
      title: 'The configuration file has a mistake and is not in force',
      consequence: `${inWords(first)}${more > 0 ? ` There ${more === 1 ? 'is one more' : `are ${more} more`}.` : ''} The previous one stays in force.`,
      since: (broken.problemsSince ?? broken.since).getTime(),
    },
  ];
}

function inWords({ message, where }: Problem): string {
  const place = whereInWords(where);
  return place === '' ? message : `${message} (${place})`;
}

async function unreachedReceivers(query: Queryable, receivers: readonly string[]): Promise<readonly GeneralMatter[]> {
  const unreached = (await undelivered(query)).filter(({ receiver }) => receivers.includes(receiver));
  return unreached.map(({ receiver, messages, since, answer }) => ({
    kind: 'messages',
    title: `${countInWords(messages, 'message')} to ${receiver} could not be sent`,
    consequence: answer === '' ? 'The last attempt got no answer.' : `The last answer was: ${answer}`,
    since: since.getTime(),
  }));
}

/** How many there are, and since when (epoch milliseconds). */
interface Waits {
  readonly count: number;
  readonly since: number;
}

/** What waits for editors: events of authors who may not or do not want to publish, and suggestions of visitors. */
export interface WaitingForReview {
  readonly handedIn: Waits;
  readonly suggestions: Waits;
}

/** Matters about what people have written and an editor may publish. */
export const reviewMatters = ({ handedIn, suggestions }: WaitingForReview): readonly GeneralMatter[] => [
  ...(handedIn.count > 0
    ? [
        {
          kind: 'handed-in' as const,
          title: `${countInWords(handedIn.count, 'event')} submitted`,
          consequence: 'Visitors do not see submitted events until an editor publishes them.',
          since: handedIn.since,
        },
      ]
    : []),
  ...(suggestions.count > 0
    ? [
        {
          kind: 'suggestions' as const,
          title: `${countInWords(suggestions.count, 'suggestion')} from visitors`,
          consequence: 'Nothing of them is public until an editor publishes it. After 90 days they are deleted.',
          since: suggestions.since,
        },
      ]
    : []),
];
