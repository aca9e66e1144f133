import { createHash } from 'node:crypto';
import type { Embed } from '../../contract/representation.ts';
import { sql } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import type { HandlerContext } from '../context.ts';
import { discoverEmbed } from './discovery.ts';
import type { FetchPage } from './fetch-page.ts';
import { unknownPage } from './own-embed.ts';
import { providerOf } from './providers.ts';
import { readEmbed } from './read-embed.ts';
import { DAY_MS } from '../../time.ts';

/** A request to the proxy; 0 means no limit. */
export interface ForeignAsked {
  readonly url: string;
  readonly format: string;
  readonly maxwidth: number;
  readonly maxheight: number;
  readonly discover: boolean;
}

const PAGE = 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1';
const DATA = 'application/json, text/xml;q=0.9, */*;q=0.1';

/** Returns the oEmbed data of a page elsewhere, cached for a day per request. Throws HttpProblem if it has none. */
export async function foreignEmbed(
  asked: ForeignAsked,
  fetchPage: FetchPage,
  ctx: Pick<HandlerContext, 'db' | 'now'>,
): Promise<Embed> {
  const key = createHash('sha256')
    .update(JSON.stringify([asked.url, asked.format, asked.maxwidth, asked.maxheight, asked.discover]))
    .digest('hex');
  const dayAgo = new Date(ctx.now - DAY_MS);
  const {
    rows: [kept],
  } = await sql<{ readonly body: Embed }>`
    select body from site.embeds where key = ${key} and fetched_at > ${dayAgo}`.execute(ctx.db);
  if (kept) return kept.body;
  const embed = await findEmbed(asked, fetchPage);
  await sql`delete from site.embeds where fetched_at <= ${dayAgo}`.execute(ctx.db);
  await sql`insert into site.embeds (key, body, fetched_at) values (${key}, ${jsonb(embed)}, ${new Date(ctx.now)})
    on conflict (key) do update set body = excluded.body, fetched_at = excluded.fetched_at`.execute(ctx.db);
  return embed;
}

/** Asks known providers directly; other pages have to link to their data. */
async function findEmbed({ url, maxwidth, maxheight, discover }: ForeignAsked, fetchPage: FetchPage): Promise<Embed> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw unknownPage();
  const provider = providerOf(url);
  const found = provider === undefined && discover ? await discovered(url, fetchPage) : undefined;
  const endpoint = provider === undefined ? found : withParams(provider, { url, format: 'json' });
  if (endpoint === undefined) throw unknownPage();
  const answer = await fetchPage(
    withParams(endpoint, {
      ...(maxwidth > 0 && { maxwidth: String(maxwidth) }),
      ...(maxheight > 0 && { maxheight: String(maxheight) }),
    }),
    DATA,
  );
  const embed = answer.kind === 'page' ? readEmbed(answer.text, answer.contentType, provider !== undefined) : undefined;
  if (!embed) throw unknownPage();
  return embed;
}

async function discovered(url: string, fetchPage: FetchPage): Promise<string | undefined> {
  const page = await fetchPage(url, PAGE);
  return page.kind === 'page' ? discoverEmbed(page.text, page.url) : undefined;
}

function withParams(address: string, params: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}
