import type { EventDraft } from './draft.ts';

// The interface has no field for cancelled or tentative events, so a title prefix and a tag represent them (exports
// turn the tag back into STATUS).
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

type State = EventDraft['state'];
const STATE_TAGS: readonly State[] = ['cancelled', 'tentative'];

/** The state that an event's tags represent. */
export const stateFromTags = (names: readonly string[]): State =>
  STATE_TAGS.find((tag) => names.some((name) => name.toLowerCase() === tag)) ?? 'confirmed';

/** Whether a tag represents a state. */
export const isStateTag = (name: string): boolean => stateFromTags([name]) !== 'confirmed';

/** Tag names with the tag of this state and of no other. */
export const tagsInState = (names: readonly string[], state: State): readonly string[] => [
  ...names.filter((name) => !isStateTag(name)),
  ...(state === 'confirmed' ? [] : [state]),
];

/** The title for a state: with the prefix if cancelled, without it otherwise; without a title, only the prefix. */
export function titleInState(title: string, state: State, language: string): string {
  if (state !== 'cancelled') return title;
  const prefix = PREFIXES[language.toLowerCase().split(/[-_]/)[0] ?? 'en'] ?? PREFIXES['en'] ?? '';
  return title === '' ? prefix.replace(/[\s:]+$/, '') : `${prefix}${withoutPrefix(title)}`;
}

/** A title without the prefix of any language, unless nothing else would be left. */
export function withoutPrefix(title: string): string {
  const prefix = Object.values(PREFIXES).find((text) => title.toLowerCase().startsWith(text.trimEnd().toLowerCase()));
  return (prefix === undefined ? '' : title.slice(prefix.trimEnd().length).trim()) || title;
}
