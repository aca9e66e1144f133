import { sql } from '../../db/database.ts';
import { mapWithPauses } from '../../pauses.ts';
import type { FeedReading, IdentityRungs } from '../../sync/model/draft.ts';
import { identityText } from '../../sync/model/identity.ts';
import { identityKey, keyOfIdentity, keyOfSlug } from '../../sync/model/slug.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';

/**
 * Drops events that come from our own exports of this very site, recognised by the UIDs that exports use. A feed that
 * contains our events, or is one of ours, therefore changes nothing and never grows. If another calsyncd has read and
 * exported them, it has given them UIDs of its own; these are recognised because their keys are derived from our UIDs,
 * or by the address of the event's page here.
 */
export async function withoutOwnEvents(
  context: Pick<RunContext, 'database'>,
  setup: SourceSetup,
  reading: FeedReading,
): Promise<FeedReading> {
  const keys = [...new Set(reading.drafts.flatMap(({ rungs }) => keysIn(rungs)))];
  const hasNumbered = reading.drafts.some(({ rungs }) => /^\d+@/.test(rungs.uid ?? ''));
  if (keys.length === 0 && !hasNumbered) return reading;
  const ours = await ownKeys(context, setup, keys);
  const isForeign = keys.some((key) => !ours.has(key));
  const madeOfOurs = isForeign ? await identityKeysOf(context, setup) : new Set<string>();
  const isOwn = (rungs: IdentityRungs): boolean => {
    const [key, ofPage] = keysIn(rungs);
    return key === undefined
      ? isNumberedAt(rungs.uid, setup.site.host)
      : ours.has(key) || madeOfOurs.has(identityKey(key)) || (ofPage !== undefined && ours.has(ofPage));
  };
  const drafts = reading.drafts.filter(({ rungs }) => !isOwn(rungs));
  const count = reading.drafts.length - drafts.length;
  if (count === 0) return reading;
  const message = `${count} events of the feed are this site's own: it got them from our exports. They are on the site already and are passed over.`;
  return { ...reading, drafts, problems: [...reading.problems, { code: 'events-own', message, where: {} }] };
}

/** The key in a UID written by an export of some calsyncd. */
const keyInUid = (uid: string | null): string | null => /^([a-z2-7]{14})@calsyncd$/.exec(uid ?? '')?.[1] ?? null;

/** The key in the address of an event's page. */
const keyInAddress = (url: string | null): string | null =>
  keyOfSlug(
    URL.parse(url ?? '')
      ?.pathname.split('/')
      .findLast((part) => part !== '') ?? '',
  );

/**
 * The keys in an event from the export of some calsyncd: its own, and that of the page that it links to. In other
 * feeds, a link to a page of ours proves nothing.
 */
function keysIn({ uid, url }: IdentityRungs): readonly string[] {
  const key = keyInUid(uid);
  return key === null ? [] : [key, keyInAddress(url)].filter((each) => each !== null);
}

/** Whether a UID is that of an event made by hand on the site. */
const isNumberedAt = (uid: string | null, host: string | undefined): boolean =>
  host !== undefined && uid !== null && /^\d+@/.test(uid) && uid.endsWith(`@${host}`);

/** Whether a UID has the form that the exports of a site use; such events are checked on each run. */
export const mayBeOwn = (uid: string, host: string | undefined): boolean =>
  /^[a-z2-7]{14}@calsyncd$/.test(uid) || (/^\d+@/.test(uid) && (host === undefined || uid.endsWith(`@${host}`)));

/** The keys that belong to events of the site, from any source, past or present. */
async function ownKeys(
  { database }: Pick<RunContext, 'database'>,
  { site }: SourceSetup,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    key: string;
  }>`select key from calsync.ledger where site = ${site.key} and key = any(${[...keys]}::text[])
    union select split_part(uid, '@', 1) as key from calsync.exported_events
    where site = ${site.key} and uid = any(${keys.map((key) => `${key}@calsyncd`)}::text[])`.execute(database.query());
  return new Set(rows.map(({ key }) => key));
}

/**
 * The part of the keys that another calsyncd gives to our exported events that does not depend on its source's name.
 */
async function identityKeysOf(
  { database }: Pick<RunContext, 'database'>,
  { site }: SourceSetup,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ uid: string }>`select uid from calsync.exported_events where site = ${site.key}`.execute(
    database.query(),
  );
  return new Set(await mapWithPauses(rows, ({ uid }) => keyOfIdentity(identityText({ rung: 'uid', identity: uid }))));
}
