import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase, poolConfig, type Database, type DatabaseAddress } from '../../src/db/database.ts';
import { addressIn } from './database-address.ts';

export interface FreshDatabase {
  readonly database: Database;
  readonly address: DatabaseAddress;
  readonly close: () => Promise<void>;
}

/** A new database on the test run's server, migrated unless `empty`. `close` ends the pool and drops the database. */
export async function freshDatabase({ empty = false, connections = 10 } = {}): Promise<FreshDatabase> {
  const { address: server, template } = inject('database');
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying files takes half as long as copying through the log.
  await onServer(server, `CREATE DATABASE ${name}${empty ? '' : ` TEMPLATE ${template} STRATEGY FILE_COPY`}`);
  const address = addressIn(server, name);
  const database = openDatabase(address, connections);
  return {
    database,
    address,
    close: async () => {
      await database.close();
      await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

const servers = new Map<string, Promise<pg.Client>>();

/** Runs a statement over a connection that later tests use again. */
async function onServer(server: DatabaseAddress, statement: string): Promise<void> {
  const key = JSON.stringify(server);
  const connected = servers.get(key) ?? connectedTo(server);
  servers.set(key, connected);
  await (await connected).query(statement);
}

async function connectedTo(server: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client(poolConfig(server, 1));
  // The server closes it when it stops at the end of the test run.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
