import type { Shortcut } from '../../../selection/days.ts';
import type { ListName } from '../../../selection/selection.ts';

/** The texts of an event that its page shows as they are, in this order. `Words` has their names. */
export const SHOWN_TEXTS = ['cost'] as const;

/** Rules of series in words, each the beginning of a sentence. Weekdays count from Monday, which is 0. */
export interface SeriesWords {
  readonly daily: string;
  /** Every week, or every `weeks` weeks. */
  readonly weekly: (weekdays: readonly number[], weeks: number) => string;
  /** On these weekdays, but not every week. */
  readonly someWeeks: (weekdays: readonly number[]) => string;
  /** `nth` is 1 to 5, or the last one. */
  readonly monthlyWeekday: (nth: number | 'last', weekday: number) => string;
  readonly monthlyDay: (day: number) => string;
  readonly until: (rule: string, day: string) => string;
  /** `isCut`: there are more than that. */
  readonly more: (count: number, isCut: boolean) => string;
}

/** The texts of the pages in one language. Dates and numbers are formatted by Intl. */
export interface Words extends Readonly<Record<(typeof SHOWN_TEXTS)[number], string>> {
  readonly list: string;
  readonly month: string;
  readonly show: string;
  readonly nothing: string;
  readonly allDay: string;
  readonly until: string;
  readonly to: string;
  readonly more: string;
  readonly when: string;
  readonly where: string;
  readonly tags: string;
  readonly website: string;
  readonly phone: string;
  readonly email: string;
  readonly addToCalendar: string;
  readonly file: string;
  readonly notFound: string;
  readonly notFoundText: string;
  readonly gone: string;
  readonly goneText: string;
  readonly whatIsOn: string;
  readonly unavailable: string;
  readonly unavailableText: string;
  readonly tooMany: string;
  readonly category1: string;
  readonly tag1: string;
  readonly organizer1: string;
  readonly protectedEvent: string;
  readonly protectedText: string;
  readonly password: string;
  readonly wrongPassword: string;
  readonly tooManyPasswords: string;
  // views
  readonly series: SeriesWords;
  readonly allDates: string;
  readonly seriesIsOver: string;
  readonly cancelled: string;
  readonly goToday: string;
  readonly moreOn: (count: number, day: string) => string;
  readonly lasting: string;
  readonly nothingThatDay: string;
  readonly allCategories: string;
  readonly daysOf: (month: string) => string;
  // event
  readonly contact: string;
  readonly over: string;
  readonly isOver: string;
  readonly wasOn: (day: string) => string;
  readonly isCancelled: string;
  readonly cancelledText: string;
  readonly moved: string;
  readonly isMoved: string;
  readonly wasAnnouncedFor: (when: string) => string;
  readonly wasAnnouncedAt: string;
  readonly tentative: string;
  readonly isTentative: string;
  readonly tentativeText: string;
  readonly free: string;
  readonly place: string;
  readonly address: string;
  readonly openMap: string;
  readonly alsoAt: (place: string) => string;
  readonly comingFrom: (organizer: string) => string;
  readonly readFrom: (source: string) => string;
  /** Does not claim to be the last time: pages are cached, and the source may be read again in the meantime. */
  readonly readOn: (when: string) => string;
  readonly changedOn: (when: string) => string;
  readonly wasTakenOff: (title: string, day: string, gone: string) => string;
  readonly askOrganizer: string;
  readonly instead: string;
  readonly seeWhatsOn: string;
  readonly comingEvents: (count: number, number: string) => string;
  readonly subscribeTo: Readonly<Record<'venue' | 'organizer' | 'category' | 'tag', string>>;

  // list
  readonly finding: FindingWords;
  // away
  readonly away: AwayWords;
  // sheets
  readonly sheet: SheetWords;
}

type ForEach<Kind extends string> = Readonly<Record<Kind, string>>;

/** The texts of the list and its filters. `number` is already formatted. */
export interface FindingWords {
  readonly comingUp: string;
  readonly days: string;
  readonly allComing: string;
  readonly shortcuts: ForEach<Shortcut>;
  readonly fromThisDay: string;
  readonly from: (day: string) => string;
  readonly fromDay: (day: string) => string;
  readonly fromToday: string;
  readonly moreDays: string;
  readonly moreOfThese: string;
  readonly earlier: string;
  readonly backToStart: string;
  readonly backToFirst: string;
  readonly everyDate: string;
  readonly onAllWeek: string;
  readonly onAllTime: string;
  readonly lastDays: (day: string) => string;
  readonly furtherLasting: (number: string) => string;
  readonly daysOf: (month: string) => string;
  readonly choose: string;
  readonly chosen: (count: number) => string;
  readonly onlyThis: string;
  readonly whatIsChosen: string;
  readonly takeOff: string;
  readonly clearAll: string;
  readonly language: string;
  readonly anyLanguage: string;
  readonly free: string;
  readonly noName: (text: string) => string;
  /** `isCut`: only the first names are shown. */
  readonly whichName: (text: string, isCut: boolean) => string;
  readonly calledSo: (text: string) => string;
  readonly someOfThese: string;
  readonly freeThisWeekend: string;
  readonly events: (count: number, number: string) => string;
  readonly subscribe: string;
  readonly toThis: string;
  readonly highlights: string;
  readonly nothing: ForEach<Shortcut | 'any'>;
  readonly leaveOut: string;
  /** Shown if leaving out one choice is not enough. */
  readonly oneAlone: string;
  readonly instead: ForEach<'search' | 'time' | ListName | 'free' | 'language'>;
  readonly subscribeAnyway: string;
  readonly nearest: string;
  readonly nothingYet: string;
  readonly freeTag: string;
  readonly cancelled: string;
  readonly minutes: string;
  readonly hours: string;
  readonly tooMuch: string;
  readonly searchTooLong: (most: number) => string;
  readonly listTooLong: (most: number) => string;
}

/** The texts about sharing events, and about a list on another site. */
interface AwayWords {
  readonly passItOn: string;
  readonly qrAlt: string;
  readonly copyLink: string;
  readonly copied: string;
  readonly copyByHand: string;
  readonly share: string;
  readonly copy: string;
  readonly subscribe: string;
  readonly embed: string;
  readonly embedLead: string;
  readonly withWords: string;
  readonly count: string;
  readonly look: string;
  readonly showCode: string;
  readonly preview: string;
  readonly code: string;
  readonly withScript: string;
  readonly scriptOnly: string;
  readonly withoutScript: string;
  readonly noCookies: string;
  readonly more: (number: string) => string;
  readonly looks: Readonly<Record<'device' | 'light' | 'dark', string>>;
}

/** The texts on paper, and around it on the screen. */
interface SheetWords {
  readonly print: string;
  readonly back: string;
  readonly howTo: string;
  readonly week: string;
  readonly event: string;
  readonly code: string;
  readonly poster: string;
}
