import { sql, type Queryable } from '../database.ts';

// A published event counts once for each of its terms.
const COUNTED = (rows: string, sign: 1 | -1): string =>
  `select distinct events.id as event, term, ${sign} as change from ${rows} as events, unnest(category_ids || tag_ids) as term where status = 'publish'`;
const COUNT = (...counted: readonly string[]): string => `
  update site.terms set count = count + changes.change from (
    select term, sum(change)::integer as change from (${counted.join(' union all ')}) as counted group by term having sum(change) <> 0) as changes
  where terms.id = changes.term`;

// See 012-list-totals: an event that visitors cannot see has no links.
const LINKS = (rows: string): string => `
  select distinct linked.id, status = 'publish', start_at, events.id from ${rows} as events, unnest(venue_ids || organizer_ids) as linked (id)
  where status not in ('draft', 'pending', 'auto-draft', 'trash')`;
const LINK = (links: string): string => `insert into site.event_links ${links}`;
const UNLINK = (links: string): string => `
  delete from site.event_links using (${links}) as former (linked_id, is_published, start_at, event_id)
  where event_links.linked_id = former.linked_id and event_links.is_published = former.is_published
    and event_links.start_at = former.start_at and event_links.event_id = former.event_id`;
const [FORMER, CURRENT] = [LINKS('former_events'), LINKS('current_events')];

// Planned anew for each execution: a plan for very many rows, if the connection kept it, would read all links for a
// single row.
const planned = (statement: string): string => `execute '${statement.replaceAll("'", "''")}'`;

const functionOf = (name: string, ...statements: readonly string[]): string => `
  create function site.${name}() returns trigger language plpgsql as $$ begin ${statements.map((statement) => `${statement};`).join('\n')} return null; end $$`;

const STATEMENTS = [
  'drop trigger count_terms on site.events',
  'drop function site.count_terms()',
  'drop trigger link_events on site.events',
  'drop function site.link_events()',
  functionOf('account_inserted', COUNT(COUNTED('current_events', 1)), LINK(CURRENT)),
  functionOf('account_deleted', COUNT(COUNTED('former_events', -1)), planned(UNLINK(FORMER))),
  functionOf(
    'account_updated',
    COUNT(COUNTED('former_events', -1), COUNTED('current_events', 1)),
    planned(UNLINK(`${FORMER} except ${CURRENT}`)),
    LINK(`${CURRENT} except ${FORMER}`),
  ),
  'create trigger account_inserted after insert on site.events referencing new table as current_events for each statement execute function site.account_inserted()',
  'create trigger account_deleted after delete on site.events referencing old table as former_events for each statement execute function site.account_deleted()',
  'create trigger account_updated after update on site.events referencing old table as former_events new table as current_events for each statement execute function site.account_updated()',
];

/**
 * Updates the counts of terms, and the links of events to their venues and organizers, once per statement instead of
 * once per row.
 */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
