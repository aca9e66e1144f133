import type { Problem } from '../../problem.ts';
import type { LedgerEntry } from '../model/plan.ts';

const NAMED_MAX = 3;

/** Events to come that a feed has lost at its end: they may have been called off, or the feed may reach less far than before. One sentence for all. */
export function beyondCoverage(entries: readonly LedgerEntry[]): readonly Problem[] {
  if (entries.length === 0) return [];
  const sorted = [...entries].sort((one, other) => one.startsAt - other.startsAt || (one.slug < other.slug ? -1 : 1));
  const named = sorted
    .slice(0, NAMED_MAX)
    .map(({ title }) => `"${title}"`)
    .join(', ');
  const more = sorted.length > NAMED_MAX ? ` and ${sorted.length - NAMED_MAX} more` : '';
  const [are, it] =
    sorted.length === 1
      ? ['event that comes after the last one in the feed is', 'it is']
      : ['events that come after the last one in the feed are', 'they are'];
  return [
    {
      code: 'beyond-coverage',
      where: sorted.length === 1 ? { slug: sorted[0]!.slug } : {},
      message: `${sorted.length} ${are} not in it any more: ${named}${more}. The feed may just end earlier now, so ${it} left on the site. Remove by hand there what does not take place.`,
    },
  ];
}
