// What a title begins with while its event is cancelled, as the interface has no field for that.
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

/** What a title begins with while its event is cancelled. */
export const cancelledPrefix = (language: string): string =>
  PREFIXES[language.toLowerCase().split(/[-_]/)[0] ?? 'en'] ?? PREFIXES['en'] ?? '';

/** A title without the prefix of any language, unless nothing else would be left. */
export function withoutPrefix(title: string): string {
  const prefix = Object.values(PREFIXES).find((text) => title.toLowerCase().startsWith(text.trimEnd().toLowerCase()));
  return (prefix === undefined ? '' : title.slice(prefix.trimEnd().length).trim()) || title;
}

/** Further words that stand in titles for the same. */
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
/** The patterns may take the square of a title's length. */
const MARKED_MAX = 1_000;
const IN_BRACKETS = String.raw`[[(【] ?(?:${WORDS})!* ?[\])】]|\*+ ?(?:${WORDS})!* ?\*+`;
const BEFORE = new RegExp(
  String.raw`^(?:(?:${IN_BRACKETS})(?: ?[-–—:|])?|(?:${WORDS})!* ?(?::|[-–—|](?= )))\s*(?=\S)`,
  'iu',
);
const BEHIND = new RegExp(String.raw`(?<=\S)(?: ?(?:${IN_BRACKETS})| [-–—|] ?(?:${WORDS})!*)$`, 'iu');

/**
 * What is left of a title on one line that says itself that its event is cancelled: Jazz, of `ABGESAGT: Jazz`,
 * `[Cancelled] Jazz` or `Jazz – annulé`; undefined if it says no such thing, or nothing else. Where such a word is a part
 * of a sentence, it may mean anything.
 */
export function withoutCancelledMark(title: string): string | undefined {
  if (title.length > MARKED_MAX) return undefined;
  const plain = title.trim();
  const rest = plain.replace(BEFORE, '').replace(BEHIND, '').trim();
  return rest === plain || rest === '' ? undefined : rest;
}
