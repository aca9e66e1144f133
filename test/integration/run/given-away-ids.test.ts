import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { approveRun } from '../../../src/run/decisions/approve-run.ts';
import type { StartOutcome } from '../../../src/run/steps/keep-plan.ts';
import { carryOn } from '../../../src/run/steps/carry-on.ts';
import { startUndo } from '../../../src/run/decisions/undo-run.ts';
import type { Report } from '../../../src/sync/model/plan.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../../support/feed-text.ts';
import { realSite, type RealSite } from '../../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';
import { townOn } from '../../support/two-sites.ts';
import { BY_TESTER } from '../../support/by-tester.ts';

// A restored site assigns the ids of what it has lost again.

let syncing: SyncingApp;
let feeds: FeedServer;
let real: RealSite;
let app: OpenedApp;
beforeEach(async () => {
  [syncing, feeds, real] = await Promise.all([syncingApp(), feedServer(), realSite({ now: () => syncing.clock.now })]);
  publish(feedEvents(8));
  app = await syncing.open(townOn('a real site', real, feeds));
  await app.sync('town');
});
afterEach(() => Promise.all([syncing.close(), feeds.close(), real.close()]));

const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));
const inTheHall: FeedEvent = { uid: 'hall', title: 'In the hall', lines: ['LOCATION:Town Hall'] };
const toItsEnd = async (started: StartOutcome): Promise<Report> =>
  (await carryOn(app.context, app.setup('town'), started, () => undefined))!;
const placesOf = async (title: string): Promise<readonly string[][]> =>
  (await app.events())
    .filter((event) => event.title === title)
    .map(({ venue }) => [venue].flat().map((each) => each.venue));

/** Restores the site as it was before the hall, and gives the id of the hall to somebody else's bar. */
function restoreTo(backup: ReturnType<RealSite['backup']>, hall: number): void {
  real.restore(backup);
  while (real.person.addVenue({ venue: "Somebody else's bar" }) < hall) continue;
}

describe('ids that a restored site has assigned again', () => {
  test('are not written by an approval: it names the event, which the next run creates', async () => {
    const backup = real.backup();
    publish([...feedEvents(8), inTheHall]);
    await app.sync('town');
    const hall = [(await app.events()).find(({ title }) => title === 'In the hall')!.venue].flat()[0]!.id;
    publish([
      ...feedEvents(8).filter((_, index) => index % 7 === 0),
      inTheHall,
      { ...inTheHall, uid: 'also', title: 'Also in the hall' },
    ]);
    const { run, state } = await app.sync('town');
    expect(state).toBe('held');
    restoreTo(backup, hall);
    expect((await toItsEnd(await approveRun(app.context, app.setup('town'), run, BY_TESTER))).problems).toContainEqual(
      expect.objectContaining({
        code: 'changed-since-shown',
        message: expect.stringContaining('"Also in the hall" was not created') as string,
      }),
    );
    expect(await placesOf('Also in the hall')).toEqual([]);
    await app.sync('town', true);
    expect(await placesOf('Also in the hall')).toEqual([['Town Hall']]);
  });

  test('are not written by an undo: the event comes back without its venue, and the report says so', async () => {
    const backup = real.backup();
    publish([...feedEvents(8), inTheHall]);
    await app.sync('town');
    const hall = [(await app.events()).find(({ title }) => title === 'In the hall')!.venue].flat()[0]!.id;
    publish(feedEvents(8));
    const { run } = await app.sync('town');
    restoreTo(backup, hall);
    const report = await toItsEnd(await startUndo(app.context, app.setup('town'), run, undefined, BY_TESTER));
    expect(report).toMatchObject({
      created: 1,
      problems: [
        {
          code: 'links-lost',
          message:
            '"In the hall" comes back without its former venue: the site does not have that any more, or has it under another name. Choose it yourself.',
        },
      ],
    });
    expect(await placesOf('In the hall')).toEqual([[]]);
  });
});
