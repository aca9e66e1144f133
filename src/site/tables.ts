import type { Embed } from '../contract/representation.ts';
import type { Generated } from '../db/database.ts';

/** The most may come first. */
export const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;
export type Role = (typeof ROLES)[number];

export interface UserTable {
  readonly id: Generated<number>;
  readonly login: string;
  readonly email: string;
  readonly display_name: string;
  readonly role: Role;
  readonly created: Generated<Date>;
  /** Of the account password for signing in on the site's pages; null for users who cannot. */
  readonly password_hash: Generated<string | null>;
}

export interface SessionTable {
  readonly hash: string;
  readonly user_id: number;
  readonly created: Date;
  readonly expires: Date;
}
export interface SecretTable {
  readonly name: string;
  readonly value: string;
}
/** One row. */
export interface IdentityTable {
  readonly name: string;
}

export interface ApplicationPasswordTable {
  readonly uuid: Generated<string>;
  readonly user_id: number;
  readonly name: string;
  readonly app_id: string | null;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly hash: string;
  readonly created: Generated<Date>;
  readonly last_used: Date | null;
}

/** What other sites said about their pages. */
export interface EmbedTable {
  readonly key: string;
  readonly body: Embed;
  readonly fetched_at: Date;
}

/** The tables of the shell. A store adds its own with `ctx.db.withTables<StoreTables>()`. */
export interface SiteTables {
  readonly 'site.users': UserTable;
  readonly 'site.application_passwords': ApplicationPasswordTable;
  readonly 'site.embeds': EmbedTable;
  readonly 'site.sessions': SessionTable;
  readonly 'site.secrets': SecretTable;
  readonly 'site.identity': IdentityTable;
}
