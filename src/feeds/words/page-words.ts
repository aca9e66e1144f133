import type { Html } from '../../html/template.ts';
import type { Shortcut } from '../../selection/days.ts';
import type { Cancelled, Narrowing, NewsForm, Variant } from '../definition/definition.ts';

/** The texts of the feed pages in one language; dates and numbers come from Intl by `locale`. */
export interface PageWords {
  /** For `lang`, and for Intl. */
  readonly language: string;
  readonly locale: string;
  readonly feeds: string;
  readonly ownFeed: string;
  readonly copied: string;
  readonly copyByHand: string;

  readonly introduction: string;
  readonly none: Html;
  readonly onlyWhatYouLike: string;
  readonly choose: string;
  readonly subscribe: string;
  readonly subscribeTo: (title: string) => string;
  readonly googleOutlookMore: string;
  readonly morePrograms: (title: string) => string;
  readonly next: (title: string, when: string) => string;
  readonly howItWorks: string;
  readonly steps: readonly string[];
  readonly by: Readonly<Record<Narrowing, string>>;
  readonly further: (count: string, address: string) => Html;
  readonly local: Html;

  readonly chooseHere: string;
  readonly calendar: string;
  readonly text: string;
  readonly eventLanguage: string;
  readonly allLanguages: string;
  readonly howShown: string;
  readonly variant: string;
  readonly variants: Readonly<Record<Variant, string>>;
  readonly cancelledEvents: string;
  readonly cancelled: Readonly<Record<Cancelled, string>>;
  readonly showResult: string;
  readonly result: string;

  readonly allFeeds: string;
  readonly subscribeWith: string;
  /** A button for each program: its name, and what happens. */
  readonly programs: Readonly<Record<'apple' | 'google' | 'outlookCom' | 'microsoft365', readonly [string, string]>>;
  readonly byHand: string;
  readonly toPhone: string;
  readonly qrText: string;
  readonly qrAlt: string;
  readonly embed: string;
  readonly otherWays: string;
  readonly news: Readonly<Record<NewsForm, string>>;
  readonly download: string;
  readonly table: string;
  readonly address: string;
  readonly copy: string;
  readonly secret: string;
  readonly basic: string;
  readonly instructions: Instructions;
  readonly coming: string;
  readonly nothingComing: string;
  readonly calledOff: string;
  readonly until: (day: string) => string;
  readonly events: (count: number, number: string) => string;
  /** Follows a number of events. */
  readonly toCome: string;
  readonly eventsUncounted: string;
  readonly everything: string;
  readonly or: string;
  readonly one: Readonly<Record<Narrowing, string>>;
  readonly several: Readonly<Record<Narrowing, string>>;
  readonly containing: (text: string) => string;
  readonly featured: string;
  readonly featuredOnly: string;
  readonly unfeaturedOnly: string;
  readonly inLanguage: (name: string) => string;
  /** Free of charge. */
  readonly free: string;
  readonly time: {
    readonly any: string;
    readonly label: string;
    readonly shortcuts: Readonly<Record<Shortcut, string>>;
    readonly on: (day: string) => string;
    readonly from: (day: string) => string;
    /** A note for subscribers of a feed whose days move along. */
    readonly moves: string;
  };
  readonly span: (past: string, future: string) => string;
  readonly large: (megabytes: string) => Html;
  readonly lite: (address: string) => Html;
  readonly narrower: string;

  readonly notFound: string;
  readonly notFoundText: string;
  readonly theseThereAre: string;
  readonly wrongAddress: string;
  readonly missing: Readonly<Record<Narrowing, (name: string) => string>>;
  readonly refused: (why: string) => string;
  readonly busy: string;
  readonly siteFails: string;
  readonly stale: (when: string) => string;

  /** A note in news that the calendar has more events. */
  readonly nextOnly: (count: number) => string;

  readonly badge: BadgeWords;

  readonly doesItWork: string;
  readonly testIntroduction: string;
  readonly test: string;
  readonly testAgain: string;
  readonly tested: string;
  readonly right: string;
  readonly wrong: string;
  readonly checksRight: (count: number) => string;
  /** Who can subscribe: a sentence, and the reason. */
  readonly verdicts: Readonly<Record<'all' | 'most' | 'local' | 'none', readonly [string, string]>>;
  readonly findings: Findings;
}

/** How to add a feed in each program, in that program's own words. */
export interface Instructions {
  readonly google: string;
  readonly googleCopy: string;
  readonly googleOpen: (link: Html) => Html;
  readonly googleLink: string;
  readonly googlePaste: string;
  readonly outlookByHand: string;
  readonly outlookElse: (scheme: string) => string;
  readonly apple: string;
  readonly appleMac: string;
  readonly applePhone: string;
  readonly others: string;
  readonly thunderbird: (asksForPassword: boolean) => string;
  readonly android: string;
}

/** The texts of the badge that shows how up to date a feed is. */
export interface BadgeWords {
  readonly label: string;
  readonly checked: (ago: string) => string;
  readonly some: (fresh: number, all: number) => string;
  readonly silent: (ago: string) => string;
  readonly never: string;
  readonly paused: string;
  readonly none: string;
  /** How to put it on another page. */
  readonly heading: string;
  readonly introduction: string;
  readonly code: string;
}

/** The texts of the self-test. */
export interface Findings {
  readonly answers: (status: number) => string;
  readonly leads: (status: number, where: string) => string;
  readonly nowhere: string;
  readonly reached: string;
  readonly unreachable: (why: string) => string;
  readonly type: string;
  readonly wrongType: (type: string) => string;
  readonly noType: string;
  readonly noCookies: string;
  readonly cookies: string;
  readonly size: (kilobytes: string) => string;
  readonly large: (megabytes: string) => string;
  readonly unread: string;
  readonly whole: string;
  readonly cut: string;
  readonly readable: (events: string) => string;
  readonly unreadable: (read: number, events: number, why: string) => string;
  readonly uids: string;
  readonly sameUids: string;
  readonly zones: string;
  readonly noZones: (zones: string) => string;
  readonly again: string;
  readonly notAgain: (byTag: number, byDate: number) => string;
  readonly packed: string;
  readonly notPacked: string;
  readonly isLocal: string;
  readonly isHttp: string;
  readonly isBasic: string;
}
