import { writeFileSync } from 'node:fs';
import { ConfigFile } from './declaration.ts';
import { schemaForEditors, type Schema } from './schema.ts';

/** The text of config/calsyncd.schema.json. */
export const schemaText = (): string =>
  // TypeBox schemas are plain JSON Schema.
  `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', title: 'calsyncd', ...(schemaForEditors(ConfigFile as unknown as Schema) as object) }, null, 2)}\n`;

if (import.meta.main) writeFileSync('config/calsyncd.schema.json', schemaText());
