import type { DraftConfig } from '../model/draft.ts';
import { isFieldName, type FieldName } from '../model/fields.ts';
import type { FieldPlace } from './field-place.ts';

/** Settings of a source that affect a field of any event although they are not rules. */
type Settings = Pick<DraftConfig, 'categories' | 'tags' | 'defaultVenue' | 'timezone'>;

/**
 * In words, which rules and settings of a source determine each field of an event. `touchedBy` are the rules that its
 * draft names, `places` what the feed says.
 */
export function rulesByField(
  settings: Settings,
  places: readonly FieldPlace[],
  touchedBy: readonly string[],
): Readonly<Partial<Record<FieldName, readonly string[]>>> {
  const said = [...settingsFor(settings, places), ...touchedBy.flatMap(fieldIn)];
  const byField = Map.groupBy(said, ({ field }) => field);
  return Object.fromEntries([...byField].map(([field, rules]) => [field, rules.map(({ words }) => words)]));
}

interface Said {
  readonly field: FieldName;
  readonly words: string;
}

/** The field named at the start of a rule (`venue.aliases: …`) or after its number (`set 2: cost`). */
function fieldIn(words: string): readonly Said[] {
  const field = /^(?:set \d+: )?([a-z_]+)/.exec(words)?.[1] ?? '';
  return isFieldName(field) ? [{ field, words }] : [];
}

function settingsFor(
  { categories, tags, defaultVenue, timezone }: Settings,
  places: readonly FieldPlace[],
): readonly Said[] {
  const textOf = (wanted: FieldName): string =>
    places
      .filter(({ field }) => field === wanted)
      .map(({ text }) => text)
      .join('\n');
  const mapped = (field: 'categories' | 'tags', map: Readonly<Record<string, string>> = {}): readonly Said[] =>
    Object.entries(map)
      .filter(([from]) => hasName(textOf(field), from))
      .map(([from, to]) => ({ field, words: `${field}.map: "${from}" is "${to}"` }));
  const isPlaceless = defaultVenue !== undefined && textOf('venue') === '';
  const isZoneless =
    timezone !== undefined && places.length > 0 && !/TZID=|\dZ\s*$|\d[+-]\d\d:?\d\d\s*$/i.test(textOf('timezone'));
  return [
    ...mapped('categories', categories.map),
    ...(categories.unknown === 'ignore' ? [{ field: 'categories' as const, words: 'categories.unknown: ignore' }] : []),
    ...added('categories', categories.add),
    ...mapped('tags', tags.map),
    ...added('tags', tags.add),
    ...(isPlaceless ? [{ field: 'venue' as const, words: `venue.default: "${defaultVenue}"` }] : []),
    ...(isZoneless ? [{ field: 'timezone' as const, words: `timezone: ${timezone}` }] : []),
  ];
}

const added = (field: 'categories' | 'tags', names: readonly string[]): readonly Said[] =>
  names.map((name) => ({ field, words: `${field}.add: "${name}"` }));

/** Whether a list of names, as written in a feed, contains a name. */
const hasName = (text: string, name: string): boolean =>
  text
    .replace(/^CATEGORIES[^:]*:/gim, '')
    .split(/(?<!\\)[,;|\n]/)
    .some((each) => each.replaceAll('\\', '').trim().toLowerCase() === name.toLowerCase());
