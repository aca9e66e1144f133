import { rm } from 'node:fs/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase, poolConfig, type DatabaseAddress } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { migrate } from '../../src/db/migrate.ts';
import { makeMonth } from '../../src/run/state/batches.ts';
import { addressIn } from './database-address.ts';
import { removeLeftOvers, scratchPath } from './scratch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    database: { readonly address: DatabaseAddress; readonly template: string };
  }
}

/**
 * Starts one server for a test run: the one at TEST_DATABASE_URL, or an embedded one that all projects share. Creates a
 * migrated template database on it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['TEST_DATABASE_URL'];
  const directory = scratchPath('test');
  await removeLeftOvers();
  const server = url ? { address: { url }, stop: async () => undefined } : await startEmbedded(directory);
  const template = `calsyncd_template_${process.pid}_${project.name}`;
  // Tests do not need durability.
  if (!url) await run(server.address, 'ALTER SYSTEM SET fsync = off', 'SELECT pg_reload_conf()');
  await run(server.address, `CREATE DATABASE ${template}`);
  const database = openDatabase(addressIn(server.address, template), 1);
  try {
    await migrate(database);
    // Most tests have their runs in this month: creating its partition here saves doing it four hundred times.
    await makeMonth(database.query(), 202701);
  } finally {
    await database.close();
  }
  project.provide('database', { address: server.address, template });
  return async () => {
    // The embedded server is stopped by the first project that ends: all projects of a run end together.
    if (url) await run(server.address, `DROP DATABASE ${template}`);
    await server.stop();
    if (!url) await rm(directory, { recursive: true, force: true }).catch(() => undefined);
  };
}

async function run(address: DatabaseAddress, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(poolConfig(address, 1));
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
