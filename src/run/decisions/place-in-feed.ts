import { sql } from '../../db/database.ts';
import { decodeText } from '../../ical/read/decode.ts';
import { whereOf } from '../../ical/read/uid.ts';
import type { Where } from '../../problem.ts';
import { hasRules } from '../../sync/drafts/apply-rules.ts';
import { calendarPieces, type CalendarPieces } from '../../sync/formats/calendar-pieces.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import { mayBeOwn } from '../site/own-events.ts';
import { settingsWithoutZone, type RunContext, type SourceSetup } from '../state/context.ts';
import { loadBody, loadSourceRecord, type SourceRecord } from '../state/feed-state.ts';
import { isInWindow } from '../state/settled-events.ts';

/**
 * The place of an event in the last good feed, found without parsing the feed. This works if the event's lines, the
 * settings and its entry are unchanged since its last plan, and no rule changes events. Undefined if the feed has to be
 * parsed.
 */
export async function placeInFeed(
  { database, now }: Pick<RunContext, 'database' | 'now'>,
  setup: SourceSetup,
  entry: LedgerEntry,
): Promise<Where | undefined> {
  const { uid, digest } = entry;
  if (uid === null || digest === undefined || mayBeOwn(uid, setup.site.host)) return undefined;
  const query = database.query();
  const { key } = setup.site;
  const record = await loadSourceRecord(query, key, setup.name);
  const settings = settingsWithoutZone(now(), setup);
  if (!isAsPlanned(record, setup) || hasRules(settings) || !isInWindow(entry, settings.window)) return undefined;
  const { rows: sharing } = await sql`select from calsync.ledger
    where site = ${key} and source = ${setup.name} and uid = ${uid} limit 2`.execute(query);
  const body = sharing.length === 1 ? await loadBody(query, key, setup.name) : undefined;
  if (!body) return undefined;
  const { text } = decodeText(body, record.feed.contentType);
  return lineIn(calendarPieces(text), uid, digest);
}

function lineIn(pieces: CalendarPieces | null, uid: string, digest: string): Where | undefined {
  const piece = pieces?.single.get(uid);
  return pieces && piece && digest.startsWith(pieces.digestOf(piece)) ? whereOf({ line: piece.line, uid }) : undefined;
}

/** Whether the stored body and the settings are those of the last plan, and that plan left settled events. */
const isAsPlanned = (
  { feed: { frame, bodyHash, settingsHash }, storedHash }: SourceRecord,
  setup: Pick<SourceSetup, 'settingsHash'>,
): boolean => frame !== null && bodyHash === storedHash && settingsHash === setup.settingsHash;
