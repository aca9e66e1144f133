import { ConfigFile } from '../../config/declaration.ts';
import { rawAt, withRaw, type Raw, type RawMap } from '../../config/splice/raw.ts';
import type { Schema } from '../../config/schema.ts';

/** A setting of a source that a form can show as a single field. */
export interface SettingField {
  /** The keys that lead to it, from the source down. */
  readonly path: readonly string[];
  readonly description: string;
  readonly kind: 'text' | 'choice';
  readonly choices: readonly string[];
  /** The default if the file does not set it. */
  readonly otherwise: string;
}

export interface FieldGroup {
  readonly title: string;
  readonly fields: readonly SettingField[];
}

const SOURCE: Schema = Object.values(ConfigFile.properties?.['sources']?.patternProperties ?? {})[0] ?? {};

// The settings grouped by purpose; those that are not listed come last, under "More".
const GROUPS: readonly (readonly [title: string, keys: readonly string[]])[] = [
  ['The feed', ['url', 'format', 'every', 'cron', 'timezone', 'utc_times', 'paused']],
  ['Its events on the site', ['site', 'status', 'language', 'authority']],
  ['When events are gone', ['missing', 'hold']],
  ['The columns of a table', ['columns']],
];
// Rules and mappings have a page of their own, names are changed by renaming, and secrets appear in no form.
const ELSEWHERE = ['categories', 'tags', 'venue', 'organizer', 'set', 'only', 'skip', 'was', 'auth'];

/** All settings of a source that a form can show, derived from the declaration of the file. */
export function settingGroups(): readonly FieldGroup[] {
  const named = new Set([...GROUPS.flatMap(([, keys]) => keys), ...ELSEWHERE]);
  const rest = Object.keys(SOURCE.properties ?? {}).filter((key) => !named.has(key));
  return [...GROUPS, ['More', rest] as const]
    .map(([title, keys]) => ({
      title,
      fields: keys.flatMap((key) => fieldsOf(SOURCE.properties?.[key], [key])),
    }))
    .filter(({ fields }) => fields.length > 0);
}

function fieldsOf(schema: Schema | undefined, path: readonly string[]): readonly SettingField[] {
  if (!schema || schema.writeOnly) return [];
  if (schema.anyOf) return fieldsOf({ ...schema.anyOf[0], ...described(schema) }, path);
  if (schema.properties)
    return Object.entries(schema.properties).flatMap(([key, each]) => fieldsOf(each, [...path, key]));
  const choices = schema.type === 'boolean' ? ['true', 'false'] : (schema.enum ?? []);
  if (!['string', 'integer', 'boolean'].includes(schema.type ?? '')) return [];
  return [
    {
      path,
      description: schema.description ?? '',
      kind: choices.length > 0 ? 'choice' : 'text',
      choices,
      otherwise: schema.default === undefined ? '' : String(schema.default),
    },
  ];
}

const described = ({ description, default: fallback }: Schema): Schema => ({
  ...(description === undefined ? {} : { description }),
  ...(fallback === undefined ? {} : { default: fallback }),
});

/** The name of a setting's field in the form. */
export const fieldName = ({ path }: Pick<SettingField, 'path'>): string => path.join('.');

/** The name of the hidden field with the value that the file had when the form was made. */
export const originalValueName = (name: string): string => `was:${name}`;

/** The value in the file; undefined if a single field cannot show it, or must not because it holds a password. */
export function valueInFile(source: RawMap, { path }: Pick<SettingField, 'path'>): string | undefined {
  const value = rawAt(source, path);
  if (typeof value === 'object' && value !== null) return undefined;
  const text = value === undefined || value === null ? '' : String(value);
  return WITH_PASSWORD.test(text) ? undefined : text;
}

const WITH_PASSWORD = /\/\/[^/?#]*:[^/?#]*@/;

/** A source with the values that a form submits. Unchanged values keep their spelling in the file. */
export const withFields = (
  source: RawMap,
  fields: readonly SettingField[],
  sent: (name: string) => string | undefined,
): RawMap =>
  fields.reduce<RawMap>((now, field) => {
    const text = sent(fieldName(field))?.trim();
    if (text === undefined || text === valueInFile(source, field)) return now;
    return withRaw(now, field.path, text === '' ? undefined : typed(text)) as RawMap;
  }, source);

/** Numbers and booleans are typed; everything else stays text, because the column "007" is not "7". */
function typed(text: string): Raw {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^(?:0|[1-9]\d{0,8})$/.test(text) ? Number(text) : text;
}
