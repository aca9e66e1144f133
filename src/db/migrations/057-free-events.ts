import { sql, type Queryable } from '../database.ts';

export const WORDS = [
  'free',
  'free of charge',
  'free entry',
  'free entrance',
  'free admission',
  'admission free',
  'entry free',
  'no charge',
  'gratis',
  'kostenlos',
  'kostenfrei',
  'frei',
  'eintritt frei',
  'freier eintritt',
  'bezplatny',
  'bezplatna',
  'bezplatne',
  'bezplatnie',
  'za darmo',
  'darmowy',
  'darmowa',
  'darmowe',
  'wstep wolny',
  'wstep bezplatny',
  'wolny wstep',
  'bezplatny wstep',
  'gratuit',
  'gratuito',
  'entree libre',
];

const STATEMENTS = [
  // The same words as in src/selection/free.ts; a test compares them.
  `create function site.is_free(cost text[]) returns boolean language sql immutable parallel safe strict cost 10000 as $$
    select cost <> '{}' and not exists (select from unnest(cost) as part where not (
      trim(part) ~ '^0+(\\.0+)?$' or trim(regexp_replace(site.plain(part), '[^[:alnum:]]+', ' ', 'g'))
        = any ('{${WORDS.map((word) => `"${word}"`).join(',')}}'))) $$`,
  `create index events_free_idx on site.events (start_wall, published_at, id) include (end_wall, featured, language)
    where status = 'publish' and not hide_from_listings and password = '' and site.is_free(cost_values)`,
];

/** Finds events that cost nothing without reading the others. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
