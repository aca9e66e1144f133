import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import { startUndo } from '../../src/run/decisions/undo-run.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { SITES, townOn } from '../support/two-sites.ts';
import { BY_TESTER } from '../support/by-tester.ts';

// Events that a person edited before a run removed them, through undo and redo.

let syncing: SyncingApp;
let feeds: FeedServer;
let real: RealSite;
beforeEach(async () => {
  [syncing, feeds, real] = await Promise.all([syncingApp(), feedServer(), realSite({ now: () => syncing.clock.now })]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close(), real.close()]));

const LINES = ['LOCATION:Town Hall', 'ORGANIZER;CN=Jazz Club:mailto:jazz@club.example', 'DESCRIPTION:As the feed says'];
const events = (): FeedEvent[] => feedEvents(20).map((event) => ({ ...event, lines: LINES }));
const publish = (all: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(all)));
const undo = async (app: OpenedApp, { run }: Pick<Report, 'run'>): Promise<Report> =>
  (await carryOn(
    app.context,
    app.setup('town'),
    await startUndo(app.context, app.setup('town'), run, undefined, BY_TESTER),
    () => undefined,
  ))!;
const seen = async (app: OpenedApp): Promise<readonly object[]> =>
  (await app.events())
    .map(({ id, slug, title, description, status, venue, organizer }) => ({
      id,
      slug,
      title,
      description,
      status,
      venue: [venue].flat().map((each) => each.venue),
      organizer: organizer.map((each) => each.organizer),
    }))
    .toSorted((one, other) => one.id - other.id);

describe.each(SITES)('on %s', (site) => {
  /** A person edits the first three events, which the feed then drops; a run may notice the edits before that. */
  async function edited(isNoticed: boolean): Promise<OpenedApp> {
    publish(events());
    const app = await syncing.open(townOn(site, real, feeds));
    await app.sync('town');
    const all = (await app.events()).toSorted((one, other) => one.id - other.id);
    for (const [index, edit] of [
      { venue: { venue: 'The park' } },
      { title: 'By hand' },
      { description: '<p>By hand</p>' },
    ].entries()) {
      if (site === 'a real site')
        real.person.edit(
          all[index]!.slug,
          'venue' in edit ? { venue: real.person.addVenue({ venue: 'The park' }) } : edit,
        );
      else await app.site.write([{ method: 'POST', path: `/events/${all[index]!.id}`, body: edit }]);
    }
    if (isNoticed) await app.sync('town', true);
    publish(events().slice(3));
    return app;
  }

  test.each([true, false])(
    'a removal can be undone, and so can each undo (edits noticed before: %s)',
    async (isNoticed) => {
      const app = await edited(isNoticed);
      const before = await seen(app);
      expect(before[0]).toMatchObject({ venue: ['The park'] });
      let last = await app.sync('town', true);
      expect(last).toMatchObject({ state: 'done', removed: 3 });
      const after = await seen(app);
      for (const wanted of [before, after, before, after]) {
        last = await undo(app, last);
        expect(last).toMatchObject({ state: 'done', skipped: 0, problems: [] });
        expect(await seen(app)).toEqual(wanted);
        expect(await app.sync('town', true)).toMatchObject({ writes: 0, conflicts: 0 });
      }
      await undo(app, last);
      // The feed has the events again, as before.
      publish(events());
      expect(await app.sync('town', true)).toMatchObject({ writes: 0, conflicts: 0, problems: [] });
      expect(await seen(app)).toEqual(before);
      // Only fields that nobody has edited follow the feed.
      publish(events().map((event) => ({ ...event, lines: ['LOCATION:The river', ...LINES.slice(1)] })));
      expect(await app.sync('town', true)).toMatchObject({ updated: 19, conflicts: 1 });
      expect((await seen(app)).slice(0, 3)).toMatchObject([
        { venue: ['The park'] },
        { venue: ['The river'], title: 'By hand' },
        { venue: ['The river'] },
      ]);
    },
  );

  test('edits are still there when the event comes back with the feed', async () => {
    const app = await edited(true);
    const before = await seen(app);
    await app.sync('town');
    publish(events());
    expect(await app.sync('town')).toMatchObject({ updated: 3, conflicts: 0, problems: [] });
    expect(await seen(app)).toEqual(before);
    expect(await app.sync('town', true)).toMatchObject({ writes: 0, conflicts: 0 });
  });

  test('an edit after a run is not undone, even if the event had been edited before', async () => {
    const app = await edited(false);
    const removal = await app.sync('town', true);
    const back = await undo(app, removal);
    const [, second] = (await app.events()).toSorted((one, other) => one.id - other.id);
    if (site === 'a real site') real.person.edit(second!.slug, { title: 'By hand again' });
    else await app.site.write([{ method: 'POST', path: `/events/${second!.id}`, body: { title: 'By hand again' } }]);
    expect(await undo(app, back)).toMatchObject({
      removed: 2,
      problems: [
        {
          code: 'changed-since',
          where: { slug: second!.slug },
          message: '"Event number 1" was edited since: it is left unchanged.',
        },
      ],
    });
    expect((await seen(app))[0]).toMatchObject({ title: 'By hand again' });
  });
});
