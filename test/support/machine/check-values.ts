import { textFromHtml } from '../../../src/html/text.ts';
import { withoutPrefix } from '../../../src/contract/cancelled-title.ts';
import type { FieldName } from '../../../src/sync/model/fields.ts';
import type { LedgerEntry } from '../../../src/sync/model/plan.ts';
import { must } from './check-run.ts';
import type { Said } from './feed.ts';
import type { Post } from './grounds.ts';
import { keyOf } from './memory.ts';
import type { Living } from './perform.ts';

const FIELDS: Readonly<Record<string, FieldName>> = {
  title: 'title',
  start: 'start_date',
  description: 'description',
  category: 'categories',
  venue: 'venue',
  status: 'status',
  tags: 'tags',
};

/**
 * Checks that an event shows what its feed says. Exceptions are a person's edits, as far as the settings protect them,
 * and differences that nobody can explain and that the entry lists.
 */
export function checkValues(
  { memory, excused, world: { settings } }: Living,
  said: Said,
  post: Post,
  entry: LedgerEntry,
): void {
  const isLooseWhole = memory.loose.has(post.id) || memory.loose.has(keyOf(post));
  const edits = memory.edits.get(post.id) ?? new Map<string, unknown>();
  const isLoose = (field: string): boolean =>
    excused('value of unknown origin', isLooseWhole || memory.loose.has(`${post.id} ${field}`));
  const isWrittenByHand = (holds: boolean, field: string, mayBeLoose: boolean): void =>
    must(
      holds || (mayBeLoose ? isLoose(field) : excused('value of unknown origin', isLooseWhole)),
      'what a person wrote stays',
      facts(field),
    );
  const authority = (field: string): string =>
    settings.of.split(' ')[settings.of.startsWith(`${FIELDS[field]} `) ? 1 : -1] ?? settings.authority;
  const edited = (field: string): boolean => edits.has(field) && authority(field) !== 'feed';
  const facts = (field: string) => () => ({ field, said, post, edits: Object.fromEntries(edits) });
  const kept = (field: string, now: unknown): void => {
    if (edited(field)) isWrittenByHand(now === edits.get(field), field, true);
  };
  kept('title', withoutPrefix(post.title));
  kept('description', post.description);
  kept('start', post.start);
  // The feed says nothing about these fields.
  // Sites format the currency symbol in their own way.
  if (edits.has('cost')) isWrittenByHand(post.cost.replaceAll(' ', '') === edits.get('cost'), 'cost', false);
  for (const field of ['featured', 'hidden'] as const)
    if (edits.has(field)) isWrittenByHand(post[field] === edits.get(field), field, false);
  kept('status', post.status);
  if (edited('category')) isWrittenByHand(post.categories.includes(String(edits.get('category'))), 'category', false);
  // Whatever the authority, finding an event again never publishes it.
  const isListed = (field: string): boolean =>
    excused(
      'listed difference',
      memory.lost.has(post.id) &&
        entry.fields[FIELDS[field]!]?.conflict === true &&
        (authority(field) === 'preserve' || field === 'status'),
    );
  const shows = (field: string, isSo: boolean): void => {
    if (!edited(field) && authority(field) !== 'site')
      must(isSo || isLoose(field) || isListed(field), 'the site shows what the feed says', facts(field));
  };
  shows('title', plain(withoutPrefix(post.title)) === plain(said.title));
  shows(
    'start',
    post.startsAt === said.startsAt &&
      post.endsAt === said.endsAt &&
      post.zone === said.zone &&
      post.start === said.wall,
  );
  shows('description', plain(textFromHtml(post.description)) === plain(said.text));
  shows('venue', post.venue !== null && plain(post.venue) === plain(said.venue));
  shows(
    'category',
    JSON.stringify(post.categories.map(plain)) === JSON.stringify([...said.categories].toSorted().map(plain)),
  );
  shows('status', post.status === 'publish');
  const isCancelled = said.state === 'CANCELLED';
  if (settings.authority === 'site') return;
  must(
    ((edited('title') ||
      authority('title') === 'site' ||
      post.title.startsWith('Cancelled: ') === isCancelled ||
      isLoose('title') ||
      isListed('title')) &&
      post.tags.includes('cancelled') === isCancelled &&
      post.tags.includes('tentative') === (said.state === 'TENTATIVE')) ||
      isLoose('tags') ||
      isListed('tags'),
    'an event shows whether it takes place',
    facts('state'),
  );
}

export const plain = (text: string): string =>
  text
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/--+|[\u2013\u2014]/g, '-')
    .replace(/\u2026/g, '...')
    .replace(/\s+/g, ' ')
    .trim();
