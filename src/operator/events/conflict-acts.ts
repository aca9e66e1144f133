import { alwaysDecides } from '../../config/splice/always-decides.ts';
import { startSettleAll, type FieldDecision, type Winner } from '../../run/decisions/settle-event.ts';
import { configuredIn, openConflicts } from '../../run/state/open-matters.ts';
import { unitOf } from '../../sync/decisions/settle.ts';
import { isFieldName, type FieldName } from '../../sync/model/fields.ts';
import { save, untilLoaded, type Saved } from '../add/config-edit.ts';
import { FIELD_LABELS } from '../frame/field-labels.ts';
import type { Answer, Asked, Sent } from '../frame/operator.ts';
import { withNotice } from '../frame/signed-notices.ts';
import { changedInWords, compareBySource, compareOneByOne, type ConflictKey } from './conflict-marks.ts';
import { requestedBy, startAndRedirect } from './start-and-redirect.ts';

export const PATH = '/conflicts/';
export const WINNERS: readonly Winner[] = ['site', 'feed'];

/** The form name of a choice: the event and the field. */
export const nameOf = ({ source, slug }: ConflictKey, field: string): string => `${field}:${source}:${slug}`;

/** The first field of each unit, which decides for the whole unit. */
export const alwaysFields = (fields: readonly { readonly field: FieldName }[]): readonly FieldName[] => [
  ...new Set(fields.flatMap(({ field }) => unitOf(field, [field])[0] ?? [])),
];

/**
 * The acts of the buttons, for the event in `?only=`, those of `?source=`, or all that were shown. Conflicts that have
 * changed since they were shown are not decided, but named.
 */
export const CONFLICT_ACTS = {
  settle: (asked: Asked, sent: Sent): Promise<Answer> =>
    settledAsShown(asked, sent, compareOneByOne, (conflict) =>
      conflict.fields.flatMap((field): FieldDecision[] => {
        const winner = WINNERS.find((each) => each === sent.field(nameOf(conflict, field)));
        return winner && isFieldName(field) ? [{ slug: conflict.slug, field, winner }] : [];
      }),
    ),
  site: (asked: Asked, sent: Sent): Promise<Answer> => settledFor(asked, sent, 'site'),
  feed: (asked: Asked, sent: Sent): Promise<Answer> => settledFor(asked, sent, 'feed'),
  'always-site': (asked: Asked, sent: Sent): Promise<Answer> => settledForGood(asked, sent, 'site'),
  'always-feed': (asked: Asked, sent: Sent): Promise<Answer> => settledForGood(asked, sent, 'feed'),
};

const NONE_LEFT = 'This has been settled in the meantime, or feed and site now agree. Nothing was written.';

/**
 * Writes into the file who has authority over the conflicting fields of an event, and settles these fields in the whole
 * source.
 */
async function settledForGood(asked: Asked, sent: Sent, winner: Winner): Promise<Answer> {
  const { operator, url, person } = asked;
  const refused = (why: string): Answer => ({ to: withNotice(asked, PATH, why) });
  if (person.role !== 'administrator') return refused('Only administrators may change the configuration.');
  const open = url.searchParams.has('only') ? (await openNow(asked)).filter(isNamedBy(url)) : [];
  const { asShown, changed } = await compareOneByOne(asked, sent, open);
  const [conflict] = asShown;
  if (!conflict) return refused(changed.length === 0 ? NONE_LEFT : changedInWords(changed));
  const { source } = conflict;
  const fields = alwaysFields(conflict.fields.filter(isFieldName).map((field) => ({ field })));
  const saved = await save(asked, (text) => alwaysDecides(text, source, winner, fields), {
    source,
    details: { changes: `${fields.map((field) => FIELD_LABELS[field]).join(', ')}: the ${winner} always decides` },
  });
  if (saved.kind !== 'saved') return refused(`Nothing was written: ${whyNotSaved(saved)}`);
  await untilLoaded(operator, (config) =>
    config.sources.some(
      ({ name, authority }) => name === source && fields.every((field) => authority.fields[field] === winner),
    ),
  );
  const units = new Set(fields.flatMap((field) => unitOf(field, [])));
  const own = (await openNow(asked)).filter((each) => each.source === source);
  return settled(asked, PATH, own, ({ slug, fields: inConflict }) =>
    inConflict
      .filter(isFieldName)
      .filter((field) => units.has(field))
      .map((field) => ({ slug, field, winner })),
  );
}

function whyNotSaved(saved: Exclude<Saved, { readonly kind: 'saved' }>): string {
  if (saved.kind === 'edited') return 'somebody else has just changed the file. Try again.';
  return saved.kind === 'wrong' ? (saved.problems[0]?.message ?? 'the file is not right.') : saved.because;
}

/** Whether an event is the one, or of the source, that an address names. */
function isNamedBy({ searchParams }: URL): (conflict: ConflictKey) => boolean {
  const [only, named] = [searchParams.get('only'), searchParams.get('source')];
  return ({ slug, source }) => (only === null || slug === only) && (named === null || source === named);
}

type OpenConflict = Awaited<ReturnType<typeof openConflicts>>[number];

const allFor =
  (winner: Winner) =>
  ({ slug }: OpenConflict): readonly FieldDecision[] => [{ slug, field: 'conflicts', winner }];

const settledFor = (asked: Asked, sent: Sent, winner: Winner): Promise<Answer> =>
  settledAsShown(asked, sent, asked.url.searchParams.has('only') ? compareOneByOne : compareBySource, allFor(winner));

const openNow = ({ operator, now }: Asked): Promise<readonly OpenConflict[]> =>
  openConflicts(operator.context.database.query(), configuredIn(operator.context), now);

async function settledAsShown(
  asked: Asked,
  sent: Sent,
  shown: typeof compareOneByOne | typeof compareBySource,
  decide: (conflict: OpenConflict) => readonly FieldDecision[],
): Promise<Answer> {
  const { asShown, changed } = await shown(asked, sent, (await openNow(asked)).filter(isNamedBy(asked.url)));
  if (asShown.length + changed.length === 0) return { to: withNotice(asked, PATH, NONE_LEFT) };
  const to = changed.length === 0 ? PATH : withNotice(asked, PATH, changedInWords(changed));
  return settled(asked, to, asShown, decide);
}

async function settled(
  asked: Asked,
  path: string,
  conflicts: readonly OpenConflict[],
  decide: (conflict: OpenConflict) => readonly FieldDecision[],
): Promise<Answer> {
  const { context } = asked.operator;
  let to = path;
  // One run for each source.
  for (const [name, own] of Map.groupBy(conflicts, (conflict) => conflict.source)) {
    const setup = context.sources.get(name);
    const decisions = own.flatMap(decide);
    if (setup && decisions.length > 0)
      ({ to } = await startAndRedirect(asked, to, setup, () =>
        startSettleAll(context, setup, decisions, requestedBy(asked)),
      ));
  }
  return { to };
}
