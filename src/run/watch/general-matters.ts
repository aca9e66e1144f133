import { countInWords } from '../../count-in-words.ts';
import type { Queryable } from '../../db/database.ts';
import { whereInWords, type Problem } from '../../problem.ts';
import { undelivered } from '../deliveries/deliveries.ts';
import { listConfigs } from './process-configs.ts';

/** Something that waits for a person and is about no source. */
export interface GeneralMatter {
  readonly kind: 'config' | 'messages';
  readonly title: string;
  readonly consequence: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** A configuration file that is not in force, and those of the receivers that messages do not reach. */
export async function generalMatters(
  query: Queryable,
  receivers: readonly string[],
): Promise<readonly GeneralMatter[]> {
  const [config, unreached] = await Promise.all([brokenConfig(query), unreachedReceivers(query, receivers)]);
  return [...config, ...unreached];
}

/** One for all processes: they read the same file. */
async function brokenConfig(query: Queryable): Promise<readonly GeneralMatter[]> {
  const broken = (await listConfigs(query)).find(({ problems }) => problems.length > 0);
  const [first] = broken?.problems ?? [];
  if (!broken || !first) return [];
  const more = broken.problems.length - 1;
  return [
    {
      kind: 'config',
      title: 'The configuration file has a mistake and is not in force',
      consequence: `${inWords(first)}${more > 0 ? ` There ${more === 1 ? 'is one more' : `are ${more} more`}.` : ''} All goes on as the file was before.`,
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
