/**
 * What Google documents for events (developers.google.com/search/docs/appearance/structured-data/event), property by
 * property. Google requires name, startDate and location with an address. These tests also require status and
 * attendance, which the program always knows. Values are in expanded JSON-LD: a list for each property.
 */
export type Expanded = Readonly<Record<string, unknown>>;

type Check = (value: unknown) => boolean;
interface Rule {
  /** The path of the property, starting at the event. */
  readonly path: readonly string[];
  readonly isRequired?: true;
  readonly check: Check;
}

const SCHEMA = 'https://schema.org/';

const literal =
  (pattern: RegExp): Check =>
  (value) =>
    isThing(value) && pattern.test(String(value['@value']));
const isThing = (value: unknown): value is Expanded => typeof value === 'object' && value !== null;
const oneOf =
  (...names: readonly string[]): Check =>
  (value) =>
    isThing(value) && names.some((name) => value['@id'] === SCHEMA + name || value['@value'] === SCHEMA + name);
const typed =
  (...types: readonly string[]): Check =>
  (value) =>
    isThing(value) && types.some((type) => (value['@type'] as readonly string[] | undefined)?.includes(SCHEMA + type));
const address: Check = (value) =>
  isThing(value) && /^https?:\/\/[^\s<>"]+$/.test(String(value['@id'] ?? value['@value']));

const TEXT = /\S/;
// ISO 8601: a date, or a time with its offset.
const WHEN = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d))?$/;

const RULES: readonly Rule[] = [
  { path: ['name'], isRequired: true, check: literal(TEXT) },
  { path: ['startDate'], isRequired: true, check: literal(WHEN) },
  { path: ['location'], isRequired: true, check: typed('Place', 'VirtualLocation') },
  { path: ['location', 'address'], check: typed('PostalAddress') },
  { path: ['location', 'name'], check: literal(TEXT) },
  { path: ['location', 'url'], check: address },
  { path: ['description'], check: literal(TEXT) },
  { path: ['endDate'], check: literal(WHEN) },
  {
    path: ['eventStatus'],
    isRequired: true,
    check: oneOf('EventScheduled', 'EventCancelled', 'EventPostponed', 'EventRescheduled', 'EventMovedOnline'),
  },
  {
    path: ['eventAttendanceMode'],
    isRequired: true,
    check: oneOf('OfflineEventAttendanceMode', 'OnlineEventAttendanceMode', 'MixedEventAttendanceMode'),
  },
  { path: ['image'], check: address },
  { path: ['previousStartDate'], check: literal(WHEN) },
  { path: ['offers'], check: typed('Offer') },
  { path: ['offers', 'price'], check: literal(/^\d+(?:\.\d+)?$/) },
  { path: ['offers', 'priceCurrency'], check: literal(/^[A-Z]{3}$/) },
  { path: ['offers', 'availability'], check: oneOf('InStock', 'SoldOut', 'PreOrder') },
  { path: ['offers', 'validFrom'], check: literal(WHEN) },
  { path: ['offers', 'url'], check: address },
  { path: ['organizer'], check: typed('Organization', 'Person') },
  { path: ['organizer', 'name'], check: literal(TEXT) },
  { path: ['organizer', 'url'], check: address },
  { path: ['performer'], check: typed('Person', 'PerformingGroup') },
  { path: ['superEvent'], check: typed('EventSeries') },
];

/** What is wrong with an event in expanded JSON-LD. A rescheduled event must have its previous start. */
export function googleViolations(event: Expanded): readonly string[] {
  const wrong = RULES.flatMap(({ path, isRequired, check }) => {
    const values = path.reduce<readonly unknown[]>(
      (things, name) => things.flatMap((thing) => valuesOf(thing, name)),
      [event],
    );
    const missing = isRequired && values.length === 0 ? [`${path.join('.')} is missing`] : [];
    return [
      ...missing,
      ...values.filter((value) => !check(value)).map((value) => `${path.join('.')}: ${JSON.stringify(value)}`),
    ];
  });
  const places = valuesOf(event, 'location').filter(typed('Place'));
  const bare = places.filter((place) => valuesOf(place, 'address').length === 0);
  const isMoved = valuesOf(event, 'eventStatus').some(oneOf('EventRescheduled'));
  return [
    ...(typed('Event')(event) ? [] : ['it is no Event']),
    ...wrong,
    ...bare.map(() => 'a place has no address'),
    ...(isMoved && valuesOf(event, 'previousStartDate').length === 0 ? ['it does not say from when it was moved'] : []),
  ];
}

function valuesOf(thing: unknown, name: string): readonly unknown[] {
  const value = isThing(thing) ? thing[SCHEMA + name] : undefined;
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
