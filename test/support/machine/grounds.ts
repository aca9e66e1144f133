import type { SiteClient, Transport } from '../../../src/client/site-client.ts';
import type { Database } from '../../../src/db/database.ts';
import type { FaultPlan, Fault } from '../real-site/faults.ts';
import type { Role } from '../real-site/rights.ts';

/** An event as it is stored on a site, read behind everybody's back. */
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

/** What a person writes into an event by hand. */
export type Edit = Partial<Pick<Post, 'title' | 'description' | 'cost' | 'featured' | 'hidden' | 'status'>> & {
  readonly start?: string;
  readonly category?: string;
};

/** A site, as its programs see it and as people on it do. */
export interface Grounds {
  readonly key: string;
  /** Whether a venue or text that is there can be taken away again. */
  readonly isPartial: boolean;
  /** A client whose requests pass through `wrap`; a site in the same process works on its `database`. */
  readonly client: (wrap: (transport: Transport) => Transport, database: Database) => Promise<SiteClient>;
  readonly posts: () => Promise<readonly Post[]>;
  /** Everything else on the site: venues with their data and terms, each in one line. */
  readonly others: () => Promise<readonly string[]>;
  readonly edit: (id: number, edit: Edit) => Promise<void>;
  readonly trash: (id: number) => Promise<void>;
  readonly untrash: (id: number) => Promise<void>;
  readonly erase: (id: number) => Promise<void>;
  /** An event that a person makes; its id. */
  readonly add: (title: string, start: string) => Promise<number>;
  readonly backUp: () => Promise<void>;
  readonly restore: () => Promise<void>;
  readonly freezeLists: () => void;
  readonly thawLists: () => void;
  /** From now on the user that syncs has this role on the site; the built-in site's is always its operator. */
  readonly setRole: (role: Role) => void;
  readonly fail: (fault: Fault, plan: Partial<Omit<FaultPlan, 'fault'>>) => void;
  readonly heal: () => void;
  /** Empty again, for the next life. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}
