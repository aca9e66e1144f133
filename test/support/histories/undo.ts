import { must } from '../machine/check-run.ts';
import { count, differences, linesOf, type Living } from './living.ts';
import type { Shown } from './place.ts';
import { pick } from './source.ts';

/** Undoes the last run, or what it did to one event (`at`), and checks what must hold afterwards. */
export async function undo(living: Living, at: number | undefined): Promise<void> {
  const { place, written } = living;
  const run = await place.lastWritten();
  if (run === undefined) return;
  const now = await place.shown();
  const isFresh = written?.run === run && JSON.stringify(written.after) === JSON.stringify(now);
  const before = isFresh ? written.before : [];
  const post = at === undefined ? undefined : pick(changedSince(before, now), at);
  const entry = post && [...(await place.ledger()).values()].find(({ id }) => id === post.id);
  if (at !== undefined && !entry) return;
  const report = await place.undo(run, entry?.slug);
  const then = await place.shown();
  if (report && isFresh && report.problems.length === 0) {
    count(living, post ? 'undo of one event' : 'undo');
    const was = (each: Shown): boolean => post === undefined || each.id === post.id;
    const wanted = [...before.filter(was), ...now.filter((each) => !was(each))];
    const differing = differences(linesOf(wanted), linesOf(then));
    must(differing === undefined, 'what is taken back leaves the site as it was before', () => differing);
  }
  forget(living, now, then);
  if (isFresh && !living.isDue && place.settings.authority !== 'feed') await checkNotAgain(living, then);
}

const changedSince = (before: readonly Shown[], now: readonly Shown[]): readonly Shown[] =>
  now.filter((post) => JSON.stringify(post) !== JSON.stringify(before.find(({ id }) => id === post.id)));

/** What was undone counts as a person's decision, so earlier edits and decisions about it no longer apply. */
function forget({ edits, locks, off }: Living, before: readonly Shown[], now: readonly Shown[]): void {
  locks.clear();
  for (const { id, status } of now) if (status !== 'trash') off.delete(id);
  for (const [id, fields] of edits)
    for (const field of fields.keys()) {
      const [was, is] = [before, now].map((all) => all.find((post) => post.id === id)?.[field]);
      if (JSON.stringify(was) !== JSON.stringify(is)) fields.delete(field);
    }
}

async function checkNotAgain({ place }: Living, wanted: readonly Shown[]): Promise<void> {
  const report = await place.sync(true);
  const differing = differences(linesOf(wanted), linesOf(await place.shown()));
  must(report.writes === 0 && differing === undefined, 'what was taken back is not done again', () => ({
    report,
    differing,
  }));
}
