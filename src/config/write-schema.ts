import { writeFileSync } from 'node:fs';
import { ConfigFile } from './declaration.ts';
import { schemaForEditors } from './schema.ts';

/** The content of config/calsyncd.schema.json. */
export const schemaText = (): string =>
  `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', title: 'calsyncd', ...(schemaForEditors(ConfigFile) as object) }, null, 2)}\n`;

if (import.meta.main) writeFileSync('config/calsyncd.schema.json', schemaText());
