import type { Problem } from '../../problem.ts';
import type { LedgerEntry } from '../model/plan.ts';

const NAMED_MAX = 5;

/** Tells of events to come that the feed has and the site does not, not even in its trash: too few for a lost site, they count as removed by a person from now on. One sentence for all. */
export function notFound(entries: readonly LedgerEntry[]): readonly Problem[] {
  if (entries.length === 0) return [];
  const named = entries
    .slice(0, NAMED_MAX)
    .map(({ title, slug }) => `"${title}" (${slug})`)
    .join(', ');
  const more = entries.length > NAMED_MAX ? ` and ${entries.length - NAMED_MAX} more` : '';
  const [are, they] =
    entries.length === 1
      ? ['One event that was written before is', 'It counts']
      : [`${entries.length} events that were written before are`, 'They count'];
  return [
    {
      code: 'not-found-on-site',
      where: entries.length === 1 ? { slug: entries[0]!.slug } : {},
      message: `${are} not on the site any more, not even in its trash: ${named}${more}. ${they} as removed by a person and will not be created again. "npm run -s calsyncd -- restore SLUG" brings an event back.`,
    },
  ];
}
