import { lastSentValues } from '../compare/last-sent.ts';
import { isPersons, wasPersons } from '../compare/seen.ts';
import { siteForm } from '../links/link.ts';
import { CUT_BY_TRASH, isLinked } from '../model/fields.ts';
import { isBlank, sameJson } from '../model/json.ts';
import type { FieldName, Json, LedgerEntry, UpdateEvent } from '../model/plan.ts';
import { isCutLink, type Deciding, type Decision, type Reopening, type Values } from './decide-unit.ts';
import { authorityOf } from './merge.ts';

/**
 * The fields to send to the site: decided values, the marks of the event's state, and what restores it from the trash.
 */
export function fieldsToSend(decisions: readonly Decision[], deciding: Deciding): Values {
  const { wanted, onSite, marks } = deciding;
  const written = writtenIn(decisions).flatMap(({ fields }) => fields);
  const sent = Object.fromEntries(written.map((field) => [field, wanted.send[field] ?? null]));
  const outOfTrash =
    onSite.status === 'trash'
      ? { status: statusBefore(deciding) ?? wanted.send.status ?? 'publish', ...linksBefore(deciding) }
      : {};
  return { ...marks, ...sent, ...outOfTrash };
}

const writtenIn = (decisions: readonly Decision[]): readonly Decision[] =>
  decisions.filter(({ verdict }) => verdict === 'write');

// If a person had withdrawn the event before we removed it, it stays withdrawn unless the feed decides.
const statusBefore = ({ entry, policy }: Deciding): Json | undefined =>
  wasPersons(entry?.fields.status) && authorityOf(policy, ['status']) !== 'feed'
    ? entry?.fields.status?.returned
    : undefined;

// The venue and organizers that a person had chosen are kept as well.
const linksBefore = ({ entry, onSite, links, policy }: Deciding): Values =>
  Object.fromEntries(
    CUT_BY_TRASH.flatMap((field) => {
      const state = entry?.fields[field];
      const isTheirs = wasPersons(state) && !isBlank(state?.returned) && authorityOf(policy, [field]) !== 'feed';
      return isTheirs && isCutLink(field, onSite) ? [[field, links.refsOfIds(field, state?.returned)]] : [];
    }),
  );

/** The update that sends `fields`; `entry` is the ledger entry afterwards. */
export function updateEvent(
  entry: LedgerEntry,
  fields: Values,
  decisions: readonly Decision[],
  deciding: Deciding,
): UpdateEvent {
  const { onSite } = deciding;
  const changes = changesOf(fields, deciding);
  return {
    kind: 'update',
    resource: 'events',
    slug: entry.slug,
    id: onSite.id,
    ...(onSite.status === 'trash' ? {} : { siteSlug: onSite.slug }),
    title: entry.title,
    fields,
    changes,
    ...lastSentValues(Object.keys(changes), deciding.entry, onSite),
    ...editedIn(changes, decisions, deciding),
    because: reasonOf(deciding.entry, decisions),
  };
}

function changesOf(fields: Values, { onSite, links }: Deciding): UpdateEvent['changes'] {
  return Object.fromEntries(
    // The keys of Values are field names.
    (Object.entries(fields) as [FieldName, Json][]).flatMap(([field, to]) => {
      const shown = onSite.values[field];
      if (sameJson(siteForm(field, to, links.idOf), shown)) return [];
      const from = shown !== undefined && isLinked(field) ? links.refsOfIds(field, shown) : (shown ?? null);
      return [[field, { from, to }]];
    }),
  );
}

/** Fields that a person had changed or emptied and an update overwrites because the feed decides. */
function editedIn(
  changes: UpdateEvent['changes'],
  decisions: readonly Decision[],
  { entry, onSite }: Deciding,
): Pick<UpdateEvent, 'edited'> {
  if (entry?.state !== 'kept') return {};
  const written = writtenIn(decisions).flatMap(({ fields }) => fields);
  const edited = written.filter(
    (field) => changes[field] !== undefined && isPersons(field, entry.fields[field], onSite),
  );
  return edited.length === 0 ? {} : { edited };
}

// The most telling reason first.
const REASONS: readonly (readonly [Reopening, string])[] = [
  ['restored', 'older on the site than it was: the site went back to an earlier state'],
  ['statusWithheld', 'not published before, for the user of the site had no right to'],
  ['utcOff', 'at another time in UTC on the site than its clock and zone say'],
  ['imageDue', 'the site did not take its image before'],
];

function reasonOf(entry: LedgerEntry | undefined, decisions: readonly Decision[]): string {
  if (entry === undefined) return 'found on the site by its key';
  if (entry.state === 'removed') return 'back in the feed';
  const written = writtenIn(decisions);
  if (written.length === 0) return 'changed in the feed';
  const reason = REASONS.find(([each]) => written.every(({ reopened }) => reopened.includes(each)));
  if (reason) return reason[1];
  return written.every(({ siteChanged }) => siteChanged)
    ? 'changed on the site, where the feed decides'
    : 'changed in the feed';
}
