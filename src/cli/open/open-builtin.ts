import type { Answer } from '../../client/answer.ts';
import { makeSiteClient, type SiteSettings as ClientSettings } from '../../client/make-site-client.ts';
import type { SiteClient } from '../../client/site-client.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import type { Logger } from '../../log.ts';
import { openFeedHttp, userAgent } from '../../run/fetch/fetch-feed.ts';
import { fetchImage } from '../../run/fetch/fetch-image.ts';
import { fetchPage } from '../../run/fetch/fetch-page.ts';
import type { Caller, SiteSettings } from '../../site/context.ts';
import { openRest, type RestSite, type SiteHandler } from '../../site/requests/handle.ts';
import type { Outcome } from '../../site/requests/outcome.ts';
import { makeEmbedHandlers } from '../../site/embeds/embed-handlers.ts';
import { storeHandlers, storeSets, storeStatements } from '../../site/store/store-handlers.ts';
import { siteRevision } from '../../site/store/turn.ts';
import { callerByLogin } from '../../site/users/users.ts';
import { readLogo } from './read-logo.ts';
import { withSamplePictures } from './sample-pictures.ts';
import { VERSION } from '../terminal/version.ts';

/** The namespace that the built-in site always has; another can be added as an alias. */
const NAMESPACE = 'calendar/events/v1';

/**
 * How many writes or items a sync requests at once: several batches or pages, because their cost is mostly per request.
 */
const AT_ONCE = { writes: 250, items: 200 };

/** Listeners to a client's answers and waits. */
export type Listeners = Pick<ClientSettings, 'onWait' | 'onAnswer' | 'onRead'>;

/** The built-in site, opened in this process. */
export interface Builtin {
  readonly settings: SiteSettings;
  readonly rest: SiteHandler;
  readonly answer: RestSite['answer'];
  /** A client that works in process as the user `calsyncd`, optionally in a language. */
  readonly client: (language: string | undefined, listeners?: Listeners) => SiteClient;
  /** A client that works in process without a user, so it gets what visitors get. */
  readonly visitor: () => SiteClient;
  /** Raised by every write. */
  readonly revision: () => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Opens the built-in site on a migrated database. */
export async function openBuiltin(
  { builtin, fetch, file }: Config,
  database: Database,
  publicUrl: string,
  now: () => number,
  log: Logger,
): Promise<Builtin> {
  const db = database.query();
  const { title, description, timezone, languages, brand, logo, suggestions, namespaceAlias, trashDays, currency } =
    builtin;
  const settings: SiteSettings = {
    title,
    description,
    timezone,
    languages,
    brand,
    logo: logo === undefined ? undefined : await readLogo(logo, (problem) => log.warn({ logo }, problem)),
    publicUrl,
    namespace: NAMESPACE,
    suggestions,
    trashDays,
    currency,
    ...(namespaceAlias === undefined ? {} : { namespaceAlias }),
  };
  const http = openFeedHttp(fetch.allowAddresses);
  const agent = userAgent(VERSION, fetch.contact);
  const { handle: rest, answer } = openRest({
    db,
    settings,
    handlers: { ...storeHandlers, ...makeEmbedHandlers((url, accept) => fetchPage(url, accept, http, agent)) },
    sets: storeSets,
    statements: storeStatements,
    fetchImage: withSamplePictures(file, (url) => fetchImage(url, http, agent)),
    now,
    report: (error) => log.error({ error }, 'the built-in site failed to answer'),
  });
  const caller = await callerByLogin(db);
  if (!caller)
    throw new AppError(
      'sync-user-missing',
      'The built-in site has lost its user "calsyncd", which the migrations make. Restore the database, or add the user again as an editor.',
    );
  const revision = (): Promise<string> => siteRevision(db);
  const clientAs = (as: Caller | null, settings: Partial<ClientSettings>): SiteClient =>
    makeSiteClient({
      root: `${publicUrl}/api`,
      namespace: NAMESPACE,
      transport: {
        atOnce: AT_ONCE,
        exchange: async (sent) => withoutText(await answer(sent, as, { atOnce: AT_ONCE })),
      },
      languageParameter: 'translation_language',
      ...settings,
    });
  return {
    settings,
    rest,
    answer,
    client: (language, listeners = {}) =>
      clientAs(caller, { ...(language === undefined ? {} : { language }), ...listeners }),
    visitor: () => clientAs(null, {}),
    revision,
    close: http.close,
  };
}

/**
 * An outcome of the site as an answer for the client. It has no text, because nothing has to be parsed, and no
 * `Headers`, for which Node.js would load its whole HTTP client.
 */
const withoutText = ({ status, headers, body }: Outcome): Answer => ({
  status,
  headers: readableHeaders(headers),
  text: '',
  body,
});

function readableHeaders(headers: Outcome['headers']): Answer['headers'] {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { get: (name) => byName.get(name.toLowerCase()) ?? null };
}
