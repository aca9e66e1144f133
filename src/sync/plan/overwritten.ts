import type { Problem } from '../../problem.ts';
import type { Plan } from '../model/plan.ts';

const NAMED_MAX = 5;

/** What a person had changed on the site, or undone, and a plan writes over because the feed decides there: told, so that nobody wonders. */
export function overwritten({ actions }: Pick<Plan, 'actions'>): readonly Problem[] {
  const events = actions.flatMap((action) =>
    action.kind === 'update' && action.edited
      ? [{ title: action.title, slug: action.slug, fields: action.edited }]
      : [],
  );
  if (events.length === 0) return [];
  const named = events
    .slice(0, NAMED_MAX)
    .map(({ title, fields }) => `"${title}" (${fields.join(', ')})`)
    .join(', ');
  const more = events.length > NAMED_MAX ? ` and ${events.length - NAMED_MAX} more` : '';
  return [
    {
      code: 'edits-overwritten',
      where: events.length === 1 ? { slug: events[0]!.slug } : {},
      message: `${events.length === 1 ? 'One event was' : `${events.length} events were`} changed on the site, or undone, where the feed decides (authority: feed), and ${events.length === 1 ? 'gets' : 'get'} the feed's values again: ${named}${more}. With authority: preserve they would stay as they are.`,
    },
  ];
}
