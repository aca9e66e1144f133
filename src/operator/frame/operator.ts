import type { BackupState } from '../../backup/records.ts';
import type { SiteClient } from '../../client/site-client.ts';
import type { ConfigStore } from '../../config/change/config-store.ts';
import type { Config, SourceConfig } from '../../config/config.ts';
import type { Html } from '../../html/template.ts';
import type { Sent } from '../../request-bytes.ts';
import type { Problem } from '../../problem.ts';
import type { FetchResult } from '../../run/fetch/fetch-feed.ts';
import type { RunContext, SourceSetup } from '../../run/state/context.ts';
import type { SyncCause } from '../../run/state/causes.ts';
import type { ZoneOfSite } from '../../run/state/site-zones.ts';
import type { WaitingForReview } from '../../run/watch/general-matters.ts';
import type { WatchedSource } from '../../run/watch/facts.ts';
import type { Started } from '../../run/steps/keep-plan.ts';
import type { DraftSettings } from '../../sync/model/draft.ts';

/** Somebody who is signed in to the console: an administrator or an editor of the built-in site. */
export interface Person {
  readonly id: number;
  readonly login: string;
  readonly name: string;
  readonly role: string;
}

/** The browser that asks for a page. */
export interface Caller {
  readonly person: Person | undefined;
  /** What its forms bear, and nobody else can know. */
  readonly token: string;
  readonly setCookie: readonly string[];
  /** Whether a form with a token was sent from one of our pages to this very browser. */
  readonly isOwn: (token: string) => boolean;
  /** Tells one session from another. */
  readonly session: string;
  readonly signOut: () => Promise<readonly string[]>;
}

/** Who may come in. */
export interface Door {
  readonly callerOf: (request: Request) => Promise<Caller>;
  readonly signIn: (form: {
    readonly login: string;
    readonly password: string;
    readonly stays: boolean;
    readonly peer: string;
  }) => Promise<
    | { readonly caller: Caller & { readonly person: Person } }
    | { readonly problem: 'wrong' | 'no operator' }
    | { readonly problem: 'wait'; readonly waitMs: number }
  >;
}

/** What the console can set going in the daemon. */
export interface Engine {
  /** Requests a run of each source as soon as possible, by whichever worker is free. */
  readonly request: (sources: readonly string[], cause: SyncCause) => Promise<void>;
  /**
   * Begins a run that a person asked for; the workers carry it on, whether or not somebody watches. Gives what has
   * begun once it has; throws what `begin` throws.
   */
  readonly carryOut: (setup: SourceSetup, begin: () => Promise<Started>) => Promise<Started>;
}

export type { Sent };

/** A site as the console links to it. */
export interface SiteLink {
  readonly name: string;
  readonly key: string;
  /** The page for people. */
  readonly home: string;
  readonly isBuiltin: boolean;
  readonly client: () => SiteClient;
}

/** What a text would mean as the configuration file. */
export interface CheckedConfig {
  /** Absent if there are problems. */
  readonly value?: Config;
  readonly problems: readonly Problem[];
  readonly doubts: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** An account of the built-in site. */
export interface PersonListed {
  readonly login: string;
  readonly email: string;
  readonly role: string;
  readonly canSignIn: boolean;
  readonly lastHere: Date | null;
  /** calsyncd itself works as this user. */
  readonly isProgram: boolean;
}

/** The accounts of the built-in site. What cannot be done throws AppError; passwords are told once. */
export interface People {
  readonly list: (limit: number) => Promise<readonly PersonListed[]>;
  readonly setRole: (login: string, role: string) => Promise<void>;
  readonly newPassword: (login: string) => Promise<string>;
  readonly invite: (login: string, role: string, email: string | undefined) => Promise<string>;
}

/** What a version of the program brings. */
export interface WhatsNew {
  readonly version: string;
  /** The one that worked on the database before; undefined if there was none. */
  readonly before: string | undefined;
  /** Since when it works on the database; undefined if it has not yet. */
  readonly since: Date | undefined;
  /** Of each version since the one before, the latest first; in Markdown, without headings above the third. */
  readonly news: readonly { readonly version: string; readonly text: string }[];
}

/** All that the pages are made of. */
export interface Operator {
  readonly context: RunContext;
  /** The configuration in force: it may change while the program runs, so nobody keeps it. */
  readonly config: () => Config;
  /** The file that it comes from: to be read, written and loaded. */
  readonly configFile: ConfigStore;
  readonly people: People;
  readonly sites: () => readonly SiteLink[];
  /** The sources of that configuration, with their schedules. */
  readonly watched: () => Promise<readonly WatchedSource[]>;
  /** Where this program is reached, without a trailing slash. */
  readonly publicUrl: string;
  readonly engine: Engine;
  /**
   * Takes an event that should never have been published out of the calendars of subscribers, with all of its text, and
   * off its site, by the site's key. Undefined if nobody knows it; throws AppError if the site refuses.
   */
  readonly forgetEvent: (
    site: string,
    slug: string,
  ) => Promise<{ readonly trashed: boolean; readonly uids: readonly string[] } | undefined>;
  /** When the next backup is due, in epoch milliseconds; undefined if none is planned. */
  readonly nextBackup: (known: BackupState, now: number) => number | undefined;
  /** What waits on the built-in site until an editor looks at it. */
  readonly waitingForReview: () => Promise<WaitingForReview>;
  readonly whatsNew: () => Promise<WhatsNew>;
  /** Fetches an address that somebody has pasted: with the address guard, and of files only uploaded ones. */
  readonly fetchPasted: (address: string) => Promise<FetchResult>;
  /** Reads a text as the file, as `check` does. */
  readonly check: (text: string) => CheckedConfig;
  /** What a source's settings say about reading its feed now. */
  readonly draftSettings: (source: SourceConfig, now: number, siteTimezone: string) => DraftSettings;
  /** A source as it is, planned with settings that are not in force. */
  readonly setupWith: (setup: SourceSetup, source: SourceConfig) => SourceSetup;
}

/** A request for a page by somebody who is signed in. */
export interface Asked {
  readonly operator: Operator;
  readonly request: Request;
  readonly url: URL;
  /** The path before every address of the program: '' unless its public address has one. */
  readonly base: string;
  /** What the path's pattern has named, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly person: Person;
  readonly caller: Caller;
  /** What tells the forms of this look at a page from those of another: who sends one twice gets one answer. */
  readonly once: string;
  /** The address that asks. */
  readonly peer: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly zoneOf: ZoneOfSite;
  /** Whether there is a page at the path, below `/operator`, and this person may see it. */
  readonly mayOpen: (path: string) => boolean;
}

export type Place = 'todo' | 'sources' | 'events' | 'runs' | 'settings' | 'help';

/** A page as an area gives it; the frame puts it into a document. */
export interface Page {
  /** Plain text. */
  readonly title: string;
  readonly main: Html;
  /** The word of the navigation that it belongs to. */
  readonly place?: Place;
  readonly status?: number;
  /** How long to wait before asking again. */
  readonly waitMs?: number;
  /** A review has a bar of its own at its foot, which takes the place of the navigation on a phone. */
  readonly isReview?: boolean;
  /** It tells what no other page does, such as a password: whoever loads it again is told the same. */
  readonly isToldOnce?: boolean;
  /** The parts of the page that are kept up to date while it is open, as the live channel names them. */
  readonly live?: readonly string[];
}

/** Something that has changed: a run has come on, or somebody has decided, paused, put off or noted something. */
export interface Change {
  readonly kind: 'run' | 'act' | 'pause' | 'snooze' | 'note' | 'submission' | 'backup';
  readonly site?: string;
  readonly source?: string;
  readonly run?: string;
}

/** What a part that is the same for everybody is made of. */
export type Look = Pick<Asked, 'operator' | 'base' | 'now' | 'zoneOf'>;

/** What a part looks like now: its element, which has an id. Nothing: it stays as it is. */
export type Shown = Html | 'superseded' | undefined;

interface LivePartBase {
  /** Its name in `Page.live`; there a colon and more may follow, as in `run:library-20270115T120000-0a1b2c`. */
  readonly name: string;
  /** Whether a change may make it look different. `of`: what follows the colon. */
  readonly concerns: (change: Change, of: string) => boolean;
}

/**
 * A part of pages that is kept up to date while they are open: made anew after each change that concerns it, and now and
 * then in any case. `superseded` says that what the page decides on is out of date.
 */
export type LivePart =
  | (LivePartBase & {
      readonly isPersonal?: false;
      /** Made once for all who look: so it has no forms, and nothing of a person. */
      readonly show: (look: Look, of: string) => Promise<Shown>;
    })
  | (LivePartBase & {
      readonly isPersonal: true;
      /** Made for each who looks; the address is that of the page. */
      readonly show: (asked: Asked, of: string) => Promise<Shown>;
    });

/** A page, somewhere to go (a path below `/operator`, by 303), or a finished answer. */
export type Answer = Page | { readonly to: string } | Response;

/** A page of the console, and what the forms on it do. */
export interface Route {
  /** Below `/operator`, as a URLPattern's path: `/sources/:source/`. */
  readonly path: string;
  /** Who may; without it administrators and editors. */
  readonly right?: 'administrator';
  readonly show: (asked: Asked) => Promise<Answer>;
  /** By the value of the button's `do`: a form is sent to the path of its page. */
  readonly acts?: Readonly<Record<string, (asked: Asked, sent: Sent) => Promise<Answer>>>;
  /** The most bytes of a form; without it two million. */
  readonly bytesMax?: number;
}
