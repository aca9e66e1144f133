import type { Report } from '../../../src/sync/model/plan.ts';
import { must } from '../machine/check-run.ts';
import { bareOf, count, type Living } from './living.ts';
import type { Shown, Venue } from './place.ts';
import { pick } from './source.ts';

/** Makes a run and checks what must hold after every run. */
export async function run(living: Living, full: boolean): Promise<Report> {
  const { place } = living;
  const [before, venues] = [await place.shown(), await place.venues()];
  const previewed = await place.dry(full);
  const report = await place.sync(full);
  living.isDue = false;
  const after = await place.shown();
  must(report.state === 'done' || report.state === 'unchanged', 'a run ends well', () => report);
  checkCounts(report, previewed, before, after);
  checkVenues(venues, await place.venues(), after);
  if (report.writes > 0) living.written = { run: report.run, before, after };
  checkSite(living, after);
  await checkExplained(living, after);
  count(living, 'run');
  return report;
}

/** Kills a run after so many effects; the next run completes it. */
export async function runAndDie(living: Living, effects: number, full: boolean): Promise<void> {
  await living.place.die(effects, full);
  await living.place.sync(full);
  living.isDue = false;
  checkSite(living, await living.place.shown());
}

/** Checks what must hold of the site after every run. */
function checkSite(living: Living, posts: readonly Shown[]): void {
  checkEdits(living, posts);
  checkDecided(living, posts);
}

function checkCounts(
  report: Report,
  previewed: readonly number[],
  before: readonly Shown[],
  after: readonly Shown[],
): void {
  const { created, updated, removed } = report;
  must(
    JSON.stringify(previewed) === JSON.stringify([created, updated, removed]),
    'a run does what was said before that it would do',
    () => ({ previewed, report }),
  );
  const was = new Map(before.map((post) => [post.id, post]));
  const changed = after.filter((post) => withVenues(post) !== withVenues(was.get(post.id)));
  must(
    created === changed.filter(({ id }) => !was.has(id)).length && created + updated + removed === changed.length,
    'a report counts what the run has done',
    () => ({ report, changed: changed.map((post) => ({ was: was.get(post.id), is: post })) }),
  );
  must(after.length === before.length + created, 'no event leaves the trash for good', () => report);
}

const withVenues = (post: Shown | undefined): string => (post ? bareOf(post) + JSON.stringify(post['venue_ids']) : '');

function checkVenues(before: readonly Venue[], after: readonly Venue[], posts: readonly Shown[]): void {
  const now = new Map(after.map((venue) => [venue.id, venue]));
  for (const venue of before)
    must(JSON.stringify(venue) === JSON.stringify(now.get(venue.id)), 'no venue that was there is changed', () => [
      venue,
      now.get(venue.id),
    ]);
  const used = new Set(posts.flatMap((post) => post['venue_ids'] as readonly number[]));
  const unused = after.filter(({ id }) => !before.some((venue) => venue.id === id) && !used.has(id));
  must(unused.length === 0, 'no venue is made for nothing', () => unused);
}

function checkEdits({ edits, place }: Living, posts: readonly Shown[]): void {
  if (place.settings.authority !== 'feed') checkKept(edits, posts, 'what a person wrote stays', place.settings.missing);
}

function checkDecided({ locks, own, off, place }: Living, posts: readonly Shown[]): void {
  checkKept(locks, posts, 'what is locked stays', place.settings.missing);
  const byId = new Map(posts.map((post) => [post.id, post]));
  for (const [id, line] of own)
    must(byId.has(id) && bareOf(byId.get(id)!) === line, 'what a person has made their own is left alone', () => [
      line,
      byId.get(id),
    ]);
  for (const id of off)
    must((byId.get(id)?.status ?? 'trash') === 'trash', 'what a person took off stays off', () => byId.get(id));
}

function checkKept(kept: Living['edits'], posts: readonly Shown[], law: string, missing: string): void {
  for (const post of posts) {
    if (post.status === 'trash') continue;
    for (const [column, value] of kept.get(post.id) ?? [])
      must(
        JSON.stringify(post[column]) === JSON.stringify(value) || isMarked(column, value, post, missing),
        law,
        () => ({ column, value, post }),
      );
  }
}

const withoutState = (tags: unknown): string =>
  JSON.stringify((tags as readonly string[]).filter((tag) => tag !== 'cancelled' && tag !== 'tentative'));

/**
 * Whether a difference is the mark of an event's state in its title or tags, or a withdrawal because the feed has
 * dropped it.
 */
function isMarked(column: string, value: unknown, post: Shown, missing: string): boolean {
  if (column === 'tags') return withoutState(post['tags']) === withoutState(value);
  if (column === 'title') return String(post['title']).endsWith(String(value).replace(/^Cancelled: /, ''));
  return column === 'status' && missing === 'draft' && post.status === 'draft';
}

/** Checks that an event that nobody has edited or decided about is not reported as edited. */
async function checkExplained({ place, touched, number }: Living, posts: readonly Shown[]): Promise<void> {
  const entries = [...(await place.ledger()).values()].filter(({ id, state }) => state === 'kept' && !touched.has(id!));
  const entry = pick(entries, number + posts.length);
  if (!entry) return;
  const { edits, conflicts, changedHere, fields } = await place.explained(entry);
  must(
    edits.length === 0 && conflicts.length === 0 && changedHere === null,
    'nobody is said to have written what nobody wrote',
    () => ({ edits, conflicts, changedHere, fields }),
  );
}
