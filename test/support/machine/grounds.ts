import type { SiteClient, Transport } from '../../../src/client/site-client.ts';
import type { Database } from '../../../src/db/database.ts';
import type { FaultPlan, Fault } from '../real-site/faults.ts';
import type { Role } from '../real-site/rights.ts';

/** An event as it is stored on a site, read directly from its storage. */
export interface Post {
  readonly id: number;
  readonly slug: string;
  readonly status: string;
  readonly title: string;
  readonly description: string;
  readonly cost: string;
  readonly featured: boolean;
  readonly hidden: boolean;
  readonly start: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly zone: string;
  readonly venue: string | null;
  readonly organizers: number;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
}

/** An edit of an event by hand. */
export type Edit = Partial<Pick<Post, 'title' | 'description' | 'cost' | 'featured' | 'hidden' | 'status'>> & {
  readonly start?: string;
  readonly category?: string;
};

/** A site, seen both by programs and by the people who use it. */
export interface Grounds {
  readonly key: string;
  /** Whether a write can remove an event's venue or a text. On such a site, updates are partial. */
  readonly isPartial: boolean;
  /** A client whose requests pass through `wrap`. A site in the same process uses `database`. */
  readonly client: (wrap: (transport: Transport) => Transport, database: Database) => Promise<SiteClient>;
  readonly posts: () => Promise<readonly Post[]>;
  /** All venues, organizers and terms of the site, one line each. */
  readonly others: () => Promise<readonly string[]>;
  readonly edit: (id: number, edit: Edit) => Promise<void>;
  readonly trash: (id: number) => Promise<void>;
  readonly untrash: (id: number) => Promise<void>;
  readonly erase: (id: number) => Promise<void>;
  /** A person creates an event; returns its id. */
  readonly add: (title: string, start: string) => Promise<number>;
  readonly backUp: () => Promise<void>;
  readonly restore: () => Promise<void>;
  readonly freezeLists: () => void;
  readonly thawLists: () => void;
  /** Changes the role of the syncing user. On the built-in site it is always an operator. */
  readonly setRole: (role: Role) => void;
  readonly fail: (fault: Fault, plan: Partial<Omit<FaultPlan, 'fault'>>) => void;
  readonly heal: () => void;
  /** Empties the site for the next life. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}
