import { coalesced } from '../coalesced.ts';
import { AppError } from '../error.ts';
import { findAbilities } from './abilities.ts';
import { routeAddress } from './address.ts';
import { errorFrom } from './answer.ts';
import {
  askForAnswer,
  asTexts,
  hasCredentials,
  RETRY,
  type Line,
  type OnAnswer,
  type OnWait,
  type Retry,
} from './ask.ts';
import { listInAll, otherLanguages, readInAll, writeInAll, type Language } from './languages.ts';
import { countItems, listItems } from './list.ts';
import { isGone, isProtected } from './questions.ts';
import { findRights } from './rights.ts';
import type {
  Abilities,
  InProcess,
  OnRead,
  Representations,
  Resource,
  Rights,
  SiteClient,
  Transport,
  WriteAnswer,
} from './site-client.ts';
import { sendWrites } from './write.ts';

export interface SiteSettings {
  /** The API root, or a page of the site that links to it. */
  readonly root: string;
  readonly namespace: string;
  readonly transport: (Transport | InProcess) & { readonly close?: () => Promise<void> };
  readonly credentials?: { readonly username: string; readonly applicationPassword: string };
  /** The name of the parameter for `language`; neither has an effect without the other. */
  readonly languageParameter?: string;
  readonly language?: string;
  readonly retry?: Partial<Retry>;
  /** The cached abilities of the site; clients that share them ask the site only once. */
  readonly known?: Remembered<Abilities>;
  readonly onWait?: OnWait;
  readonly onAnswer?: OnAnswer;
  readonly onRead?: OnRead;
}

/** A client for one site. Sends nothing before its first use; closing it closes its transport. */
export function makeSiteClient(settings: SiteSettings): SiteClient {
  let sent = 0;
  const statuses = new Map<string, number>();
  const inProcess = typeof settings.transport === 'function' ? asTexts(settings.transport) : settings.transport;
  const line: Line = {
    exchange: inProcess.exchange,
    atOnce: inProcess.atOnce,
    headers: authorization(settings),
    retry: { ...RETRY, ...settings.retry },
    count: () => {
      sent += 1;
    },
    learned: { tunnel: false },
    ...(settings.onWait ? { onWait: settings.onWait } : {}),
    ...(settings.onRead ? { onRead: settings.onRead } : {}),
    onAnswer: (status) => {
      statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1);
      settings.onAnswer?.(status);
    },
  };
  const language: Language =
    settings.languageParameter && settings.language ? { [settings.languageParameter]: settings.language } : {};
  const known = settings.known ?? remembered<Abilities>();
  const abilities = (): Promise<Abilities> =>
    known(() => findAbilities(line, settings.root, settings.namespace, settings.languageParameter));
  /**
   * The new abilities of a site that has moved since we found it, for example to https. Reads follow its redirects; a
   * write that was redirected has not been carried out.
   */
  const movedTo = async (error: unknown, from: Abilities): Promise<Abilities | undefined> => {
    if (!(error instanceof AppError) || error.code !== 'site-redirects') return undefined;
    if ((await abilities()).root === from.root) known.forget();
    const found = await abilities();
    return found.root === from.root ? undefined : found;
  };
  const others = async (): Promise<readonly Language[]> => otherLanguages(language, await abilities());
  return {
    abilities,
    rights: rememberedRights(async () => findRights(line, await abilities())),
    list: (resource, query) =>
      later(async () => listItems(line, await abilities(), resource, { ...language, ...query })),
    count: async (resource, query) => countItems(line, await abilities(), resource, { ...language, ...query }),
    listElsewhere: (resource, query) =>
      later(async () => {
        const site = await abilities();
        return listInAll(await others(), (other) => listItems(line, site, resource, { ...other, ...query }));
      }),
    read: async (resource, key) => {
      if ('slug' in key && !isSegment(key.slug)) return null;
      const site = await abilities();
      return readInAll([language, ...(resource === 'events' ? await others() : [])], (one) =>
        readItem(line, site, resource, key, one),
      );
    },
    writesMax: line.atOnce.writes,
    write: async (writes, goOn) => {
      const send = async (site: Abilities): Promise<readonly WriteAnswer[]> =>
        writeInAll([language, ...(await others())], writes, (some, one) => sendWrites(line, site, some, one, goOn));
      const site = await abilities();
      try {
        return await send(site);
      } catch (error) {
        const moved = await movedTo(error, site);
        if (!moved) throw error;
        return send(moved);
      }
    },
    ...(settings.onRead ? { onRead: settings.onRead } : {}),
    requests: () => sent,
    statuses: () => Object.fromEntries(statuses),
    close: async () => settings.transport.close?.(),
  };
}

function authorization({ credentials }: SiteSettings): Readonly<Record<string, string>> {
  if (!credentials) return {};
  return {
    authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.applicationPassword}`).toString('base64')}`,
  };
}

/** Returns the value made before, or makes it. After a failure, or after `forget`, the next use makes it again. */
export type Remembered<T> = ((make: () => Promise<T>) => Promise<T>) & { readonly forget: () => void };

export function remembered<T>(): Remembered<T> {
  let made: Promise<T> | undefined;
  const forget = (): void => {
    made = undefined;
  };
  const remember = (make: () => Promise<T>): Promise<T> => {
    made ??= make().catch((error: unknown) => {
      forget();
      throw error;
    });
    return made;
  };
  return Object.assign(remember, { forget });
}

const RIGHTS_MS = 3_600_000;

// Cached so that a run with one change does not need a third request. If the right is withdrawn meanwhile, the first
// answer shows it.
function rememberedRights(find: () => Promise<Rights>): () => Promise<Rights> {
  const ask = coalesced(find);
  let mayPublishUntil = 0;
  return async () => {
    if (performance.now() < mayPublishUntil) return 'publish';
    const found = await ask();
    if (found === 'publish') mayPublishUntil = performance.now() + RIGHTS_MS;
    return found;
  };
}

async function* later<T>(items: () => Promise<AsyncIterable<T>>): AsyncIterable<T> {
  yield* await items();
}

async function readItem<R extends Resource>(
  line: Line,
  site: Abilities,
  resource: R,
  key: { readonly id: number } | { readonly slug: string },
  language: Language,
): Promise<Representations[R] | null> {
  // Terms cannot be addressed by slug.
  if ('slug' in key && (resource === 'categories' || resource === 'tags'))
    return itemWithSlug(listItems(line, site, resource, { ...language, slug: key.slug }), key.slug);
  const path = 'id' in key ? `/${resource}/${key.id}` : `/${resource}/by-slug/${encodeURIComponent(key.slug)}`;
  const what = `reading ${path}`;
  const ask = (query: Readonly<Record<string, string>>): ReturnType<typeof askForAnswer> =>
    askForAnswer(line, { method: 'GET', url: routeAddress(site.root, `/${site.namespace}${path}`, query) }, what);
  let { answer, url } = await ask(language);
  // A protected event is shown to its editors if they request the edit context.
  if (answer.status === 403 && isProtected(answer.body))
    ({ answer, url } = await ask({ ...language, context: 'edit' }));
  if (isGone(answer.status, answer.body)) return null;
  if (answer.status === 200 && typeof (answer.body as { id?: unknown } | undefined)?.id === 'number')
    return answer.body as Representations[R];
  const error = errorFrom(answer, what, url.host, hasCredentials(line));
  // A firewall may also refuse single addresses, with its own page.
  throw answer.status === 403 ? new AppError('site-forbidden', error.message) : error;
}

/**
 * Whether a slug stays one part of an address. Visitors may ask for anything, such as a place by its name "A/B" or "..",
 * which would be another address; no slug looks like that.
 */
const isSegment = (slug: string): boolean => !/\/|^\.{0,2}$/.test(slug);

async function itemWithSlug<T extends { readonly slug: string }>(
  items: AsyncIterable<T>,
  slug: string,
): Promise<T | null> {
  for await (const item of items) if (item.slug === slug) return item;
  return null;
}
