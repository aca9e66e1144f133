// The prefix of a cancelled event's title, because the interface has no field for that.
const PREFIXES: Readonly<Record<string, string>> = {
  en: 'Cancelled: ',
  pl: 'Odwołane: ',
  de: 'Abgesagt: ',
  fr: 'Annulé : ',
  es: 'Cancelado: ',
  it: 'Annullato: ',
  nl: 'Geannuleerd: ',
  pt: 'Cancelado: ',
  cs: 'Zrušeno: ',
  sk: 'Zrušené: ',
  uk: 'Скасовано: ',
  ru: 'Отменено: ',
  sv: 'Inställt: ',
  da: 'Aflyst: ',
  nb: 'Avlyst: ',
  nn: 'Avlyst: ',
  no: 'Avlyst: ',
  fi: 'Peruttu: ',
  et: 'Tühistatud: ',
  lv: 'Atcelts: ',
  lt: 'Atšaukta: ',
  hu: 'Elmarad: ',
  ro: 'Anulat: ',
  hr: 'Otkazano: ',
  sl: 'Odpovedano: ',
  el: 'Ακυρώθηκε: ',
  tr: 'İptal edildi: ',
  ca: 'Cancel·lat: ',
  ja: '【中止】',
  zh: '【取消】',
  ko: '[취소] ',
};

/** The prefix of a cancelled event's title in a language. */
export const cancelledPrefix = (language: string): string =>
  PREFIXES[language.toLowerCase().split(/[-_]/)[0] ?? 'en'] ?? PREFIXES['en'] ?? '';

/** A title without the prefix of any language, unless nothing else would be left. */
export function withoutPrefix(title: string): string {
  const prefix = Object.values(PREFIXES).find((text) => title.toLowerCase().startsWith(text.trimEnd().toLowerCase()));
  return (prefix === undefined ? '' : title.slice(prefix.trimEnd().length).trim()) || title;
}

/** Other words that mark a title as cancelled. */
const OTHER_WORDS = [
  'canceled',
  'event cancelled',
  'event canceled',
  'entfällt',
  'fällt aus',
  'ausgefallen',
  'odwołany',
  'odwołana',
  'annulée',
  'annulés',
  'annulées',
  'annule',
  'cancelada',
  'suspendido',
  'suspendida',
  'annullata',
  'afgelast',
  'zrušen',
  'zrušena',
  'inställd',
];

const WORDS = [...Object.values(PREFIXES).map((prefix) => prefix.replace(/[\s:【】[\]]/g, ' ').trim()), ...OTHER_WORDS]
  .toSorted((one, other) => other.length - one.length)
  .join('|');
/** The patterns may take quadratic time in a title's length. */
const MARKED_MAX = 1_000;
const IN_BRACKETS = String.raw`[[(【] ?(?:${WORDS})!* ?[\])】]|\*+ ?(?:${WORDS})!* ?\*+`;
const BEFORE = new RegExp(
  String.raw`^(?:(?:${IN_BRACKETS})(?: ?[-–—:|])?|(?:${WORDS})!* ?(?::|[-–—|](?= )))\s*(?=\S)`,
  'iu',
);
const BEHIND = new RegExp(String.raw`(?<=\S)(?: ?(?:${IN_BRACKETS})| [-–—|] ?(?:${WORDS})!*)$`, 'iu');

/**
 * The rest of a one-line title that says its event is cancelled: "Jazz" for `ABGESAGT: Jazz`, `[Cancelled] Jazz` or
 * `Jazz – annulé`. Undefined if it says no such thing, or nothing else. Within a sentence such a word may mean
 * anything, so it does not count there.
 */
export function withoutCancelledMark(title: string): string | undefined {
  if (title.length > MARKED_MAX) return undefined;
  const plain = title.trim();
  const rest = plain.replace(BEFORE, '').replace(BEHIND, '').trim();
  return rest === plain || rest === '' ? undefined : rest;
}
