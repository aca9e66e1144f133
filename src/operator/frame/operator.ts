import type { Config } from '../../config/config.ts';
import type { Html } from '../../html/template.ts';
import type { RunContext, SourceSetup } from '../../run/state/context.ts';
import type { SyncCause } from '../../run/state/causes.ts';
import type { ZoneOfSite } from '../../run/state/site-zones.ts';
import type { Started } from '../../run/steps/keep-plan.ts';

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
    | { readonly setCookie: readonly string[] }
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

/** A site as the console links to it. */
export interface SiteLink {
  readonly name: string;
  readonly key: string;
  /** The page for people. */
  readonly home: string;
  readonly isBuiltin: boolean;
}

/** All that the pages are made of. */
export interface Operator {
  readonly context: RunContext;
  /** The configuration in force: it may change while the program runs, so nobody keeps it. */
  readonly config: () => Config;
  readonly sites: () => readonly SiteLink[];
  /** Where this program is reached, without a trailing slash. */
  readonly publicUrl: string;
  readonly engine: Engine;
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
  /** The address that asks. */
  readonly peer: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly zoneOf: ZoneOfSite;
}

/** The fields of a form that was sent. */
export interface Sent {
  /** '' for a field that it does not have. */
  readonly field: (name: string) => string;
  readonly all: (name: string) => readonly string[];
  readonly file: (name: string) => File | undefined;
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
  /** A review has a bar of its own at its foot, which takes the place of the navigation on a phone. */
  readonly isReview?: boolean;
  /** The parts of the page that are kept up to date while it is open, as the live channel names them. */
  readonly live?: readonly string[];
}

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
