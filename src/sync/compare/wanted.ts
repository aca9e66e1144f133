import { stateFromTags, tagsInState, titleInState } from '../model/state-tags.ts';
import type { EventDraft } from '../model/draft.ts';
import type { Links } from '../links/links.ts';
import { emptyValueOf, isLinked, type FieldName } from '../model/fields.ts';
import type { Json, LedgerEntry, Policy } from '../model/plan.ts';
import { asJson, isBlank } from '../model/json.ts';

type Values = Readonly<Partial<Record<FieldName, Json>>>;

/** What a draft wants, in the two forms that planning needs. */
export interface Wanted {
  readonly state: EventDraft['state'];
  /** The feed says nothing about tags; those in `feed` only represent the event's state. */
  readonly silentTags: boolean;
  /** Fields that only the source's rules set. */
  readonly fromRules: readonly FieldName[];
  /** In the ledger's form: names and data, lists sorted. */
  readonly feed: Values;
  /** In the form that is sent: the title with its prefix, refs for terms and linked posts. */
  readonly send: Values;
}

/** A draft's fields with its state applied: a cancelled event gets the prefix and the tag. */
export function wantedOf(draft: EventDraft, entry: LedgerEntry | undefined, links: Links, policy: Policy): Wanted {
  const { fields, state, silentTags } = inState(draft, entry);
  const feed: Partial<Record<FieldName, Json>> = {};
  const send: Partial<Record<FieldName, Json>> = {};
  // The keys of EventFields are field names.
  for (const field of Object.keys(fields) as FieldName[]) {
    const value = fields[field];
    if (value === undefined) continue;
    const form = feedForm(value);
    feed[field] = form;
    send[field] = isLinked(field) && isList(value) ? links.refsOf(field, value) : form;
  }
  send.title = titleInState(draft.fields.title, state, policy.language);
  return { state, silentTags, fromRules: draft.fromRules ?? NONE, feed, send };
}

const NONE: readonly FieldName[] = [];

/** A draft's values in the ledger's form. */
export const feedValuesOf = (draft: EventDraft, entry: LedgerEntry): Values =>
  Object.fromEntries(
    Object.entries(inState(draft, entry).fields).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, feedForm(value)] as const],
    ),
  );

/** A draft's fields, with the values of ended rules emptied and the tags of the draft's state added. */
function inState(
  draft: EventDraft,
  entry: LedgerEntry | undefined,
): Pick<Wanted, 'state' | 'silentTags'> & Pick<EventDraft, 'fields'> {
  const said = { ...draft, fields: withEndedRules(draft, entry) };
  const tags = tagsOf(said, entry);
  return {
    state: tags === undefined ? 'confirmed' : stateFromTags(tags),
    silentTags: said.fields.tags === undefined,
    fields: tags === undefined || tags === said.fields.tags ? said.fields : { ...said.fields, tags },
  };
}

/**
 * Empties the fields that a rule had set and that nothing sets any more, because the rule ended or no longer matches.
 */
function withEndedRules({ fields, unsaid = NONE }: EventDraft, entry: LedgerEntry | undefined): EventDraft['fields'] {
  const emptied: [FieldName, unknown][] = [];
  let field: FieldName;
  for (field in entry?.fields) {
    const state = entry?.fields[field];
    if (!state?.fromRule || isBlank(state.feed) || fields[field] !== undefined || unsaid.includes(field)) continue;
    const empty = emptyValueOf(field);
    if (empty !== undefined) emptied.push([field, empty]);
  }
  return emptied.length === 0 ? fields : { ...fields, ...Object.fromEntries(emptied) };
}

/** A draft's value as the ledger keeps it: lists are sorted, because their order means nothing. */
export const feedForm = (value: unknown): Json => (Array.isArray(value) ? listForm(value) : asJson(value));

function listForm(list: readonly unknown[]): Json {
  const known = listForms.get(list);
  if (known !== undefined) return known;
  const form = asJson(list.toSorted(byText));
  listForms.set(list, form);
  return form;
}

// Equal lists in a feed's drafts are one and the same object (share-equal.ts).
const listForms = new WeakMap<readonly unknown[], Json>();

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** The state handled last, according to the ledger. */
export const handledState = (entry: Pick<LedgerEntry, 'fields'> | undefined): EventDraft['state'] =>
  stateFromTags(namesIn(entry?.fields.tags?.feed));

// A feed that says nothing about tags still says whether an event is cancelled.
function tagsOf(
  draft: Pick<EventDraft, 'fields' | 'state'>,
  entry: LedgerEntry | undefined,
): readonly string[] | undefined {
  if (draft.fields.tags !== undefined)
    return draft.state === 'confirmed' ? draft.fields.tags : tagsInState(draft.fields.tags, draft.state);
  const isSilent = draft.state === 'confirmed' && handledState(entry) === 'confirmed' && !entry?.fields.tags?.unlocked;
  return isSilent ? undefined : tagsInState([], draft.state);
}

const namesIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
const byText = (one: unknown, other: unknown): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
