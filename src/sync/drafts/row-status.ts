import { foldedWords } from '../../ascii.ts';
import { flagFrom, type RowEvent } from '../../csv/row-events.ts';
import type { DraftSettings, EventDraft } from '../model/draft.ts';

/** A cancelled status, with or without the reason: `Cancelled due to snow`. */
const CANCELLED = new RegExp(
  [
    String.raw`^(?:cancell?ed|called off|abgesagt|storniert|entfallt|entfallen|ausgefallen|fallt(?: leider)? aus|odwolan\p{L}*`,
    String.raw`anulowan\p{L}*|annule\p{L}*|cancelad\p{L}*|anulad\p{L}*|annullat\p{L}*|geannuleerd|afgelast|zrusen\p{L}*`,
    String.raw`installt|installd|aflyst|avlyst|peruttu|peruutettu|elmarad\p{L}*|torolve|отменен\p{L}*|скасован\p{L}*`,
    String.raw`відмінен\p{L}*|ακυρωθηκε|ακυρωμεν\p{L}*|iptal|anulat\p{L}*|中止\p{L}*|(?:已|被)?取消\p{L}*|취소\p{L}*)(?: |$)`,
  ].join('|'),
  'u',
);
const TENTATIVE = new RegExp(
  [
    '^(?:tentative|provisional|unconfirmed|vorlaufig|unter vorbehalt|provisoire|provvisorio|voorlopig|provisorio',
    'provisoria|preliminart?|forelobigt?|alustava|tervezett|predbezne)$',
  ].join('|'),
);

/** The date is open or no longer as announced, with or without the reason. */
const POSTPONED = new RegExp(
  [
    String.raw`^(?:postponed|put off|verschoben|vertagt|aufgeschoben|reporte\p{L}*|przelozon\p{L}*|odlozon\p{L}*`,
    String.raw`aplazad\p{L}*|pospuest\p{L}*|rinviat\p{L}*|posticipat\p{L}*|uitgesteld|adiad\p{L}*|odlozeno`,
    String.raw`uppskjut\p{L}*|framflyttad|udsat|udskudt|utsatt|siirretty|elhalasztva|prelozen\p{L}*|перенесен\p{L}*`,
    String.raw`отложен\p{L}*|відкладен\p{L}*|αναβληθηκε|αναβαλλεται|ertelendi|amanat\p{L}*|延期\p{L}*|改期|연기\p{L}*)(?: |$)`,
  ].join('|'),
  'u',
);

/** Whether a row's event is cancelled, tentative or confirmed. */
export function stateOf(event: RowEvent): EventDraft['state'] {
  const status = foldedWords(event.text('status') ?? '');
  const cancelled = event.text('cancelled') ?? '';
  if (flagFrom(cancelled) === true || [status, foldedWords(cancelled)].some((words) => CANCELLED.test(words)))
    return 'cancelled';
  return TENTATIVE.test(status) || POSTPONED.test(status) ? 'tentative' : 'confirmed';
}

/** Whether a row is not meant for the public. */
export const isPrivate = (event: RowEvent): boolean =>
  flagFrom(event.text('private') ?? '') === true ||
  /^(?:private|privat|confidential|vertraulich|personal|personlich)$/.test(
    foldedWords(event.text('sensitivity') ?? ''),
  );

/** Why a row must not be published; null if it may be. */
export function notPublic(event: RowEvent, { everything }: DraftSettings): string | null {
  if (everything) return null;
  if (isPrivate(event)) return 'private in the feed';
  if (flagFrom(event.text('published') ?? '') === false) return 'not published in the feed';
  const status = foldedWords(event.text('status') ?? '');
  return NOT_PUBLISHED.test(status) ? `not published in the feed (${status})` : null;
}

/** Unfinished, not approved yet, refused, or no longer shown. */
const NOT_PUBLISHED = new RegExp(
  [
    '^(?:draft|unpublished|not public|non public|nicht offentlich|non publique|no publico|non pubblico|niet openbaar',
    'niepubliczne|not published|pending(?: (?:review|approval))?|rejected|declined|archived|deleted|private|trash',
    'internal|entwurf|unveroffentlicht|nicht veroffentlicht|abgelehnt|archiviert|geloscht|intern|brouillon',
    String.raw`non publiee?|refusee?|archivee?|borrador|no publicad\p{L}*|rechazad\p{L}*|archivad\p{L}*|bozza`,
    String.raw`non pubblicat\p{L}*|archiviat\p{L}*|szkic|wersja robocza|nieopublikowan\p{L}*|odrzucon\p{L}*`,
    String.raw`zarchiwizowan\p{L}*|concept|niet gepubliceerd|afgewezen|gearchiveerd|utkast|opublicerad|kladde|kladd`,
    String.raw`luonnos|piszkozat|koncept|rascunho|nao publicad\p{L}*|черновик|чернетка|προχειρο|taslak|ciorna`,
    '下書き|非公開|草稿|비공개)$',
  ].join('|'),
  'u',
);
