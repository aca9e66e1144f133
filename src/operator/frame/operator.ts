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
import type { StartOutcome } from '../../run/steps/keep-plan.ts';
import type { DraftSettings } from '../../sync/model/draft.ts';

/** A person signed in to the console: an administrator or an editor of the built-in site. */
export interface Person {
  readonly id: number;
  readonly login: string;
  readonly name: string;
  readonly role: string;
}

/** The browser that requests a page. */
export interface Caller {
  readonly person: Person | undefined;
  /** The secret token that its forms carry. */
  readonly token: string;
  readonly setCookie: readonly string[];
  /** Whether a form with this token was sent from one of our pages to this very browser. */
  readonly isOwn: (token: string) => boolean;
  /** Identifies the session. */
  readonly session: string;
  readonly signOut: () => Promise<readonly string[]>;
}

/** Sessions and signing in. */
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

/** What the console can start in the daemon. */
export interface Engine {
  /** Requests a run of each source as soon as possible, by whichever worker is free. */
  readonly request: (sources: readonly string[], cause: SyncCause) => Promise<void>;
  /**
   * Begins a run that a person asked for; workers carry it on even if the person leaves. Resolves once it has begun;
   * throws what `begin` throws.
   */
  readonly carryOut: (setup: SourceSetup, begin: () => Promise<StartOutcome>) => Promise<StartOutcome>;
}

export type { Sent };

/** A site as the console links to it. */
export interface SiteLink {
  readonly name: string;
  readonly key: string;
  /** Its page for people. */
  readonly home: string;
  readonly isBuiltin: boolean;
  readonly client: () => SiteClient;
}

/** A text checked as a configuration file. */
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
  /** Whether calsyncd itself works as this user. */
  readonly isProgram: boolean;
}

/** The accounts of the built-in site. Methods throw AppError if refused; passwords are returned once. */
export interface People {
  readonly list: (limit: number) => Promise<readonly PersonListed[]>;
  readonly setRole: (login: string, role: string) => Promise<void>;
  readonly newPassword: (login: string) => Promise<string>;
  readonly invite: (login: string, role: string, email: string | undefined) => Promise<string>;
}

/** What is new in a version of the program. */
export interface WhatsNew {
  readonly version: string;
  /** The version that used the database before; undefined if there was none. */
  readonly before: string | undefined;
  /** When this version first used the database; undefined if it has not yet. */
  readonly since: Date | undefined;
  /** For each version since the one before, the latest first; Markdown, without headings above the third level. */
  readonly news: readonly { readonly version: string; readonly text: string }[];
}

/** What the pages are built from. */
export interface Operator {
  readonly context: RunContext;
  /** The configuration in force. It may change while the program runs, so do not keep it. */
  readonly config: () => Config;
  /** The file that the configuration comes from. */
  readonly configFile: ConfigStore;
  readonly people: People;
  readonly sites: () => readonly SiteLink[];
  /** The sources of the configuration in force, with their schedules. */
  readonly watched: () => Promise<readonly WatchedSource[]>;
  /** The public address of this program, without a trailing slash. */
  readonly publicUrl: string;
  readonly engine: Engine;
  /**
   * Moves an event that should never have been published to the trash of its site, given by its key, and removes all
   * its text from subscribers' calendars. Undefined if the event is unknown; throws AppError if the site refuses.
   */
  readonly forgetEvent: (
    site: string,
    slug: string,
  ) => Promise<{ readonly trashed: boolean; readonly uids: readonly string[] } | undefined>;
  /** When the next backup is due, in epoch milliseconds; undefined if none is planned. */
  readonly nextBackup: (known: BackupState, now: number) => number | undefined;
  /** What waits for an editor's review on the built-in site. */
  readonly waitingForReview: () => Promise<WaitingForReview>;
  readonly whatsNew: () => Promise<WhatsNew>;
  /** Fetches an address that a user has pasted, with the address guard; of files, only uploaded ones. */
  readonly fetchPasted: (address: string) => Promise<FetchResult>;
  /** Checks a text like the `check` command. */
  readonly check: (text: string) => CheckedConfig;
  /** How a source's settings have its feed read now. */
  readonly draftSettings: (source: SourceConfig, now: number, siteTimezone: string) => DraftSettings;
  /** A source whose plan uses settings that are not in force. */
  readonly setupWith: (setup: SourceSetup, source: SourceConfig) => SourceSetup;
}

/** A request for a page by a person who is signed in. */
export interface Asked {
  readonly operator: Operator;
  readonly request: Request;
  readonly url: URL;
  /** The path before every address of the program; '' unless its public address has one. */
  readonly base: string;
  /** The decoded parameters of the path's pattern. */
  readonly params: Readonly<Record<string, string>>;
  readonly person: Person;
  readonly caller: Caller;
  /** Identifies this view of a page, so that a form sent twice from it is carried out only once. */
  readonly once: string;
  /** The network address of the client. */
  readonly peer: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly zoneOf: ZoneOfSite;
  /** Whether there is a page at this path, relative to `/operator`, that this person may see. */
  readonly mayOpen: (path: string) => boolean;
}

export type Place = 'todo' | 'sources' | 'events' | 'runs' | 'settings' | 'help';

/** A page's content, which the frame turns into a document. */
export interface Page {
  /** Plain text. */
  readonly title: string;
  readonly main: Html;
  /** The navigation link that it belongs to. */
  readonly place?: Place;
  readonly status?: number;
  /** How long to wait before trying again. */
  readonly waitMs?: number;
  /** Whether it is a review, whose own bar at the foot replaces the navigation on a phone. */
  readonly isReview?: boolean;
  /** Whether it shows something that no other page does, such as a password, and reloading must show it again. */
  readonly isToldOnce?: boolean;
  /** The parts that are kept up to date while the page is open, as the live channel names them. */
  readonly live?: readonly string[];
}

/** A change to announce: a run has progressed, or someone has decided, paused, put off or noted something. */
export interface Change {
  readonly kind: 'run' | 'act' | 'pause' | 'snooze' | 'note' | 'submission' | 'backup';
  readonly site?: string;
  readonly source?: string;
  readonly run?: string;
}

/** What a part needs that looks the same to everybody. */
export type SharedPartContext = Pick<Asked, 'operator' | 'base' | 'now' | 'zoneOf'>;

/** The current element of a part, which has an id. Undefined leaves it as it is. */
export type PartContent = Html | 'superseded' | undefined;

interface LivePartBase {
  /** Its name in `Page.live`, where a colon and an argument may follow, as in `run:library-20270115T120000-0a1b2c`. */
  readonly name: string;
  /** Whether a change may alter its appearance. `of` is the text after the colon. */
  readonly concerns: (change: Change, of: string) => boolean;
}

/**
 * A part of pages that is kept up to date while they are open: rendered after each change that concerns it, and from
 * time to time. `superseded` means that what the page decides on is out of date.
 */
export type LivePart =
  | (LivePartBase & {
      readonly isPersonal?: false;
      /** Rendered once for everybody, so it contains no forms and nothing personal. */
      readonly show: (look: SharedPartContext, of: string) => Promise<PartContent>;
    })
  | (LivePartBase & {
      readonly isPersonal: true;
      /** Rendered for each viewer; the address is that of the page. */
      readonly show: (asked: Asked, of: string) => Promise<PartContent>;
    });

/** A page, a redirect (303) to a path relative to `/operator`, or a complete response. */
export type Answer = Page | { readonly to: string } | Response;

/** A page of the console, and the acts of its forms. */
export interface Route {
  /** The path relative to `/operator`, as a URLPattern: `/sources/:source/`. */
  readonly path: string;
  /** The required role; by default also editors may. */
  readonly right?: 'administrator';
  readonly show: (asked: Asked) => Promise<Answer>;
  /** The acts by the value of the button's `do`. Forms are sent to the path of their page. */
  readonly acts?: Readonly<Record<string, (asked: Asked, sent: Sent) => Promise<Answer>>>;
  /** The maximum size of a form in bytes; two million by default. */
  readonly bytesMax?: number;
}
