import type { DateTime } from '../../contract/date-time.ts';
import type { Status } from '../../contract/post-args.ts';
import { instantFromWall } from '../../time.ts';
import type { HandlerContext } from '../context.ts';
import { forbidden } from '../http-problem.ts';
import { instantOf } from './event-times.ts';
import { storedText, storedTitle } from './render.ts';
import { mayEditOthers, mayPublish, mayWriteAnyHtml } from './rights.ts';
import { sanitizeTitle } from './sanitize-title.ts';
import { isUnpublished, nextStatus, restoredSlug, trashedSlug } from './status.ts';
import type { PostRow } from './tables.ts';

/** What a request may say about any post. */
export interface PostAsked {
  readonly title?: string;
  readonly description?: string;
  readonly excerpt?: string;
  readonly slug?: string;
  readonly status?: Status;
  readonly author?: number;
  readonly date?: DateTime;
  readonly date_utc?: DateTime;
}

/** The columns that all posts share, as a write leaves them. A slug of null: from the id, the title gives none. */
export type NextPost = Omit<PostRow, 'id' | 'slug' | 'image_id' | 'language'> & { readonly slug: string | null };

/** What a post becomes: only what is named changes. Throws HttpProblem where the caller has no right to the state or the author. */
export function nextPost(asked: PostAsked, former: PostRow | undefined, ctx: HandlerContext): NextPost {
  const now = ctx.now - (ctx.now % 1000);
  const date = dateAsked(asked, ctx.settings.timezone);
  const publishedAt = date ?? (former?.dated ? former.published_at.getTime() : now);
  const status = nextStatus({
    status: asked.status,
    former: former?.status,
    mayPublish: mayPublish(ctx.caller),
    publishedAt,
    now,
  });
  const author = asked.author ?? former?.author ?? ctx.caller?.id;
  const foreign = asked.author !== undefined && asked.author !== (former?.author ?? ctx.caller?.id);
  if (status === 'forbidden' || author === undefined || (foreign && !mayEditOthers(ctx.caller)))
    throw forbidden(ctx.caller);
  const anyHtml = mayWriteAnyHtml(ctx.caller);
  const text = (sent: string | undefined, kept = ''): string => (sent === undefined ? kept : storedText(sent, anyHtml));
  const title = asked.title === undefined ? (former?.title ?? '') : storedTitle(asked.title, anyHtml);
  const dated = date !== undefined || (former?.dated ?? false) || !isUnpublished(status);
  return {
    title,
    status,
    author,
    dated,
    slug: nextSlug(asked.slug, title, status, former),
    description: text(asked.description, former?.description),
    excerpt: text(asked.excerpt, former?.excerpt),
    published_at: dated ? new Date(publishedAt) : (former?.published_at ?? new Date(now)),
    modified_at: new Date(now),
  };
}

function dateAsked({ date, date_utc: dateUtc }: PostAsked, timezone: string): number | undefined {
  if (date !== undefined) return instantOf(date, timezone);
  if (dateUtc === undefined) return undefined;
  return dateUtc.offsetMinutes === undefined ? instantFromWall(dateUtc.wall, 'UTC') : instantOf(dateUtc, 'UTC');
}

/** A slug stays when the title changes; the trash marks it, and gives it back; what is not published may do without. */
function nextSlug(
  asked: string | undefined,
  title: string,
  status: Status,
  former: PostRow | undefined,
): string | null {
  const sent = asked === undefined ? '' : sanitizeTitle(asked);
  const kept = sent || former?.slug || '';
  const isTrashed = former?.status === 'trash';
  if (former && status === 'trash') return isTrashed ? kept : trashedSlug(kept);
  const slug = isTrashed && sent === '' ? restoredSlug(kept) : kept;
  if (slug !== '' || isUnpublished(status)) return slug;
  return sanitizeTitle(title) || null;
}
