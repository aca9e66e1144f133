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
