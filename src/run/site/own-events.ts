import { sql } from '../../db/database.ts';
import type { FeedReading } from '../../sync/model/draft.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';

/**
 * Drops the events that the feed has from our own exports of this very site, recognised by the UIDs that exports use.
 * So a feed that contains our events, or is one of ours, changes nothing and never grows.
 */
export async function withoutOwnEvents(
  context: Pick<RunContext, 'database'>,
  setup: SourceSetup,
  reading: FeedReading,
): Promise<FeedReading> {
  const uids = new Set(
    reading.drafts.flatMap(({ rungs }) => rungs.uid ?? []).filter((uid) => /^[a-z2-7]{14}@calsyncd$|^\d+@/.test(uid)),
  );
  if (uids.size === 0) return reading;
  const ours = await ownKeys(
    context,
    setup,
    [...uids].flatMap((uid) => /^([a-z2-7]{14})@calsyncd$/.exec(uid)?.[1] ?? []),
  );
  const isOwn = (uid: string | null): boolean =>
    uid !== null &&
    (setup.site.host !== undefined && /^\d+@/.test(uid)
      ? uid.endsWith(`@${setup.site.host}`)
      : ours.has(uid.replace(/@calsyncd$/, '')));
  const drafts = reading.drafts.filter(({ rungs }) => !isOwn(rungs.uid));
  const count = reading.drafts.length - drafts.length;
  if (count === 0) return reading;
  const message = `${count} events of the feed are this site's own: it got them from our exports. They are on the site already and are passed over.`;
  return { ...reading, drafts, problems: [...reading.problems, { code: 'events-own', message, where: {} }] };
}

/** Whether a UID is one of those that the exports of a site use: whether it is ours is then asked each time. */
export const mayBeOwn = (uid: string, host: string | undefined): boolean =>
  /^[a-z2-7]{14}@calsyncd$/.test(uid) || (/^\d+@/.test(uid) && (host === undefined || uid.endsWith(`@${host}`)));

/** Which of the keys belong to events of the site, of any source past or present. */
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
