import type { DateTime } from '../../contract/date-time.ts';
import type { Status } from '../../contract/post-args.ts';
import { wallFromInstant } from '../../time.ts';
import type { HandlerContext } from '../context.ts';
import { isBlank } from '../../ascii.ts';
import { textFromHtml } from '../../html/text.ts';
import { forbiddenParam, invalidParams } from '../http-problem.ts';
import { instantOf } from './event-times.ts';
import { storedText, storedTitle } from './render.ts';
import { mayEditOthers, mayPublish, mayWriteAnyHtml } from './rights.ts';
import { sanitizeTitle } from './sanitize-title.ts';
import { isUnpublished, nextStatus, restoredSlug, trashedSlug } from './status.ts';
import type { PostRow } from './tables.ts';

/** What a request may set on any post. */
export interface PostAsked {
  readonly title?: string;
  readonly description?: string;
  readonly excerpt?: string;
  readonly slug?: string;
  readonly status?: Status;
  readonly author?: number;
  readonly date?: DateTime;
  readonly date_utc?: DateTime | undefined;
}

/** The columns shared by all posts, as they will be written. A null slug: the title gives none, so the id is used. */
export type NextPost = Omit<PostRow, 'id' | 'slug' | 'image_id' | 'language'> & { readonly slug: string | null };

/**
 * Returns a post's columns after a write, which changes only what is named. Throws HttpProblem if the caller has no
 * right to the status or the author, or if the title, sent as the parameter `titleParam`, has no words.
 */
export function nextPost(
  asked: PostAsked,
  former: PostRow | undefined,
  ctx: HandlerContext,
  titleParam: string,
): NextPost {
  const now = ctx.now - (ctx.now % 1000);
  const date = dateAsked(asked, former, ctx.settings.timezone);
  const known = date ?? (former?.dated ? former.published_at.getTime() : undefined);
  const publishedAt = known ?? now;
  const status = nextStatus({
    status: asked.status,
    former: former?.status,
    mayPublish: mayPublish(ctx.caller),
    publishedAt,
    now,
  });
  const author = nextAuthor(asked.author, former, ctx);
  if (status === 'forbidden')
    throw forbiddenParam(ctx.caller, 'status', 'Without the right to publish, it can be draft or pending.');
  if (author === undefined)
    throw forbiddenParam(ctx.caller, 'author', 'Only editors name other authors: leave it out.');
  const texts = nextTexts(asked, former, mayWriteAnyHtml(ctx.caller), titleParam);
  const dated = known !== undefined || isDated(status, former);
  return {
    ...texts,
    status,
    author,
    dated,
    trashed_from: trashedFrom(status, former),
    slug: nextSlug(asked.slug, texts.title, status, former),
    published_at: dated ? new Date(publishedAt) : (former?.published_at ?? new Date(now)),
    modified_at: new Date(now),
  };
}

/** The status of a post before it was trashed. */
function trashedFrom(status: Status, former: PostRow | undefined): Status | null {
  if (status !== 'trash' || !former) return null;
  return former.status === 'trash' ? former.trashed_from : former.status;
}

/** Trashing does not fix the date of a draft, which has not been published yet. */
const isDated = (status: Status, former: PostRow | undefined): boolean =>
  !isUnpublished(status) && (status !== 'trash' || former === undefined);

/** The new author; undefined if the caller may not assign the post to that user. */
function nextAuthor(
  asked: number | undefined,
  former: PostRow | undefined,
  { caller }: HandlerContext,
): number | undefined {
  const own = former?.author ?? caller?.id;
  if (asked === undefined || asked === own) return own;
  return mayEditOthers(caller) ? asked : undefined;
}

function nextTexts(
  asked: PostAsked,
  former: PostRow | undefined,
  anyHtml: boolean,
  titleParam: string,
): Pick<PostRow, 'title' | 'description' | 'excerpt'> {
  const text = (sent: string | undefined, kept = ''): string => (sent === undefined ? kept : storedText(sent, anyHtml));
  return {
    title: asked.title === undefined ? (former?.title ?? '') : titleFrom(asked.title, anyHtml, titleParam),
    description: text(asked.description, former?.description),
    excerpt: text(asked.excerpt, former?.excerpt),
  };
}

/** Refuses titles that are blank or only have tags: lists and feeds would show an invisible link. */
function titleFrom(sent: string, anyHtml: boolean, param: string): string {
  const title = storedTitle(sent, anyHtml);
  if (isBlank(textFromHtml(title)))
    throw invalidParams({ [param]: 'Expected some text: without its tags, nothing is left of it.' });
  return title;
}

/** The publication date that a request asks for; `date` counts before `date_utc`. */
const dateAsked = ({ date, date_utc: inUtc }: PostAsked, former: PostRow | undefined, timezone: string) =>
  newDate(date, former, timezone) ?? newDate(inUtc, former, 'UTC');

/**
 * The instant of a date; undefined if it repeats the one that is shown. In an hour that occurs twice, that is not the
 * instant that its digits stand for, and repeating the date of a draft does not fix it.
 */
function newDate(date: DateTime | undefined, former: PostRow | undefined, timezone: string): number | undefined {
  if (date === undefined) return undefined;
  const at = instantOf(date, timezone);
  const was = former?.published_at.getTime();
  if (was === undefined) return at;
  const isShown = date.offsetMinutes === undefined && date.wall === wallFromInstant(was, timezone);
  return isShown || at === was ? undefined : at;
}

/**
 * A slug stays when the title changes, is marked in the trash and restored afterwards. Unpublished posts may have none.
 */
function nextSlug(
  asked: string | undefined,
  title: string,
  status: Status,
  former: PostRow | undefined,
): string | null {
  if (asked === '' && former && former.slug !== '')
    throw invalidParams({ slug: 'A slug can be changed, but not taken away.' });
  const sent = asked === undefined ? '' : sanitizeTitle(asked);
  if (former && status === 'trash') return slugInTrash(sent || former.slug, former);
  const slug = sent || formerSlug(former);
  if (slug !== '' || isUnpublished(status)) return slug;
  return sanitizeTitle(title) || null;
}

const slugInTrash = (slug: string, former: PostRow): string => (former.status === 'trash' ? slug : trashedSlug(slug));

function formerSlug(former: PostRow | undefined): string {
  if (!former) return '';
  return former.status === 'trash' ? restoredSlug(former.slug) : former.slug;
}
