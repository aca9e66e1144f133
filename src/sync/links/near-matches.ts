import type { Problem } from '../../problem.ts';
import type { OrganizerDraft, VenueDraft } from '../model/draft.ts';
import { refFor, refsIn, refsReplaced } from './link.ts';
import { headOf, isNear, whyNear, type Named, type Nearness } from './near-names.ts';
import type { Action, Snapshot } from '../model/plan.ts';
import { slugOfName } from '../model/slug.ts';
import { foldedWords } from '../../ascii.ts';

type Kind = 'venue' | 'organizer';

/** A venue or organizer that is on the site (with an id) or wanted by a feed. */
interface Thing extends Named {
  readonly id: number | null;
  /** Its name, including a city that was added to tell it from others. */ readonly label: string;
}

/** Venues and organizers that would be created although something very similar exists; an alias can link them. */
export function nearMatches(
  actions: readonly Action[],
  snapshot: Pick<Snapshot, 'venues' | 'organizers'>,
  source: string,
): readonly Problem[] {
  const venues = actions.flatMap((action) => (action.resource === 'venues' ? [venueThing(action.fields)] : []));
  const organizers = actions.flatMap((action) =>
    action.resource === 'organizers' ? [organizerThing(action.fields)] : [],
  );
  const context = { source, replaced: replacedBy(actions) };
  return [
    ...problemsOf(
      'venue',
      venues,
      snapshot.venues.map((venue) => ({ ...venueThing(venue), id: venue.id })),
      context,
    ),
    ...problemsOf(
      'organizer',
      organizers,
      snapshot.organizers.map((organizer) => ({ ...organizerThing(organizer), id: organizer.id })),
      context,
    ),
  ];
}

/** For each ref that events get, the refs that it replaces in them. */
type Replaced = ReadonlyMap<string, ReadonlySet<string>>;

function replacedBy(actions: readonly Action[]): Replaced {
  const replaced = new Map<string, Set<string>>();
  for (const action of actions) {
    const gone = refsReplaced(action).filter((ref) => !refsIn(action).includes(ref));
    if (gone.length === 0) continue;
    for (const ref of refsIn(action)) {
      const before = replaced.get(ref) ?? new Set();
      for (const each of gone) before.add(each);
      replaced.set(ref, before);
    }
  }
  return replaced;
}

interface Telling {
  readonly source: string;
  readonly replaced: Replaced;
}

/** The same for everything that a feed names, whether or not the site has it. */
export function nearMatchesOf(
  wanted: { readonly venues: readonly VenueDraft[]; readonly organizers: readonly OrganizerDraft[] },
  snapshot: Pick<Snapshot, 'venues' | 'organizers'>,
  source: string,
): readonly Problem[] {
  const creates = [
    ...wanted.venues.map((fields): Action => ({ kind: 'create', resource: 'venues', ref: fields.venue, fields })),
    ...wanted.organizers.map((fields): Action => ({
      kind: 'create',
      resource: 'organizers',
      ref: fields.organizer,
      fields,
    })),
  ];
  return nearMatches(creates, snapshot, source);
}

// `Name (City)` was made because the name exists in another city.
const venueThing = ({ venue, city, address }: VenueDraft): Thing => ({
  id: null,
  label: venue,
  name: city !== undefined && venue.endsWith(` (${city})`) ? venue.slice(0, -city.length - 3) : venue,
  city,
  contacts: [address ?? ''].filter((text) => /\d/.test(text)),
});

const organizerThing = ({ organizer, email, website }: OrganizerDraft): Thing => ({
  id: null,
  label: organizer,
  name: organizer,
  city: undefined,
  contacts: [email ?? '', website ?? ''].filter((text) => text !== ''),
});

const NAMED_MAX = 3;

function problemsOf(
  kind: Kind,
  wanted: readonly Thing[],
  onSite: readonly Thing[],
  telling: Telling,
): readonly Problem[] {
  const told = nearPairs(wanted, onSite).map(({ thing, near }) => problemOf(kind, thing, near, telling));
  return [...new Map(told.map((problem) => [problem.message, problem])).values()];
}

/** Names of venues that resemble ones on the site; a person has to say whether they are the same. */
export const nearVenueNames = (
  names: readonly string[],
  onSite: Snapshot['venues'],
): readonly { readonly name: string; readonly like: string }[] =>
  nearPairs(
    names.map((venue) => venueThing({ venue })),
    onSite.map((venue) => ({ ...venueThing(venue), id: venue.id })),
  ).map(({ thing, near: [first] }) => ({ name: thing.label, like: first.label }));

interface NearPair {
  readonly thing: Thing;
  readonly near: readonly [Thing, ...Thing[]];
}

function nearPairs(wanted: readonly Thing[], onSite: readonly Thing[]): readonly NearPair[] {
  const unshared = withoutShared([...wanted, ...onSite]);
  const distinct = [...new Map(wanted.map((thing) => [keyOf(thing), unshared(thing)])).values()];
  const byWord = wordIndex([...onSite.map(unshared), ...distinct]);
  return distinct.flatMap((thing): readonly NearPair[] => {
    const own = keyOf(thing);
    const candidates = [...new Set(byWord.keysOf(thing).flatMap((key) => byWord.get(key)))].filter(
      (other) => keyOf(other) !== own && nameOf(other) !== nameOf(thing),
    );
    // If the feed wants both, the longer name is the one to replace.
    const near = candidates
      .filter((other) => (other.id !== null || isAfter(thing, other)) && isNear(thing, other))
      .sort((one, other) => (one.id ?? Number.MAX_SAFE_INTEGER) - (other.id ?? Number.MAX_SAFE_INTEGER));
    const named = [...Map.groupBy(near, ({ label }) => label).values()].flatMap(([first]) => first ?? []);
    const [first, ...others] = named.slice(0, NAMED_MAX);
    return first === undefined ? [] : [{ thing, near: [first, ...others] }];
  });
}

/** Ignores contacts that more than two share (one office, or one building with many halls), as they prove nothing. */
function withoutShared(things: readonly Thing[]): (thing: Thing) => Thing {
  const byContact = Map.groupBy(
    things.flatMap((thing) => thing.contacts.map((text) => ({ text: slugOfName(text), key: keyOf(thing) }))),
    ({ text }) => text,
  );
  const shared = new Set(
    [...byContact].flatMap(([text, owners]) => (new Set(owners.map(({ key }) => key)).size > 2 ? [text] : [])),
  );
  return (thing) => ({ ...thing, contacts: thing.contacts.filter((text) => !shared.has(slugOfName(text))) });
}

const keyOf = (thing: Thing): string => `${nameOf(thing)}\n${slugOfName(thing.city ?? '')}`;
// Things with the same name, in the same city or without one, are linked already.
const nameOf = ({ name }: Thing): string => slugOfName(name) || name;
const isAfter = (one: Thing, other: Thing): boolean =>
  one.name.length - other.name.length > 0 || (one.name.length === other.name.length && one.name > other.name);

/** If more names than this share a word, the word does not suggest that any two are the same. */
const ALIKE_MAX = 50;

// An index, to avoid comparing a thousand venues with a thousand others.
function wordIndex(things: readonly Thing[]): {
  readonly keysOf: (thing: Thing) => readonly string[];
  readonly get: (key: string) => readonly Thing[];
} {
  const index = Map.groupBy(
    things.flatMap((thing) => keysOf(thing).map((key) => ({ key, thing }))),
    ({ key }) => key,
  );
  return {
    keysOf,
    get: (key) => {
      const alike = index.get(key) ?? [];
      return alike.length > ALIKE_MAX ? [] : alike.map(({ thing }) => thing);
    },
  };
}

const keysOf = ({ name, contacts }: Thing): readonly string[] => [
  ...slugOfName(name)
    .split('-')
    .filter((word) => word.length > 2),
  `=${letters(name)}`,
  `=${letters(headOf(name))}`,
  ...contacts.map((text) => `@${slugOfName(text)}`),
];
const letters = (name: string): string => foldedWords(name).replaceAll(' ', '');

const WORDS: Readonly<Record<Nearness, string>> = {
  spelling: 'differs only in spaces or punctuation',
  head: 'is the same up to a comma',
  part: 'has all words of the shorter name',
  abbreviation: 'is the same except for an abbreviation',
  typo: 'differs by one letter',
  contact: 'has the same address',
};

function problemOf(
  kind: Kind,
  { name, label }: Thing,
  near: readonly [Thing, ...Thing[]],
  { source, replaced }: Telling,
): Problem {
  const [first] = near;
  const others = near.map(
    (other) =>
      `"${other.label}"${other.id === null ? '' : ` (id ${other.id})`}, which ${WORDS[whyNear({ name, city: undefined, contacts: [] }, other) ?? 'contact']}`,
  );
  const refOf = (each: string): string => refFor(`${kind}s`, each);
  const takesItsPlace = replaced.get(refOf(label))?.has(refOf(first.label)) === true;
  const [is, alias] = takesItsPlace
    ? [
        `now takes the place of ${others.join('; ')}`,
        `Remove "${first.label}" on the site once no event needs it any more; to have it instead of "${name}"`,
      ]
    : [`is one of its own on the site, beside ${others.join('; ')}`, 'If they are one and the same'];
  return {
    code: `${kind}-near-match`,
    where: {},
    message:
      `The feed's ${kind} "${name}" ${is}. ${alias}, write under the source "${source}": ` +
      `${kind}: { aliases: { ${JSON.stringify(name)}: ${JSON.stringify(first.label)} } }`,
  };
}
