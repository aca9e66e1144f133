import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAlerts, type Alerts } from '../../src/cli/open/alerts.ts';
import { reviewRoutes } from '../../src/cli/web/review-pages.ts';
import { loadRun } from '../../src/run/state/records.ts';
import { actsOfRuns } from '../../src/run/watch/acts.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import type { Handle } from '../../src/web/start-web.ts';
import { engineOf } from '../support/console.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import { mailServer, type MailServer } from '../support/mail-server.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// People decide about a held plan without signing in, by the link in a mail and a code.

const CODE = 'not-to-be-guessed';
let program: SyncingApp;
let app: OpenedApp;
let mails: MailServer;
let feeds: FeedServer;
let alerts: Alerts;
let held: Report;
let path: string;

beforeEach(async () => {
  [program, mails, feeds] = await Promise.all([syncingApp(), mailServer(), feedServer()]);
  program.clock.now = Date.now();
  app = await program.open(`builtin: { title: Town calendar, timezone: Europe/Warsaw }
fetch: { allow_addresses: [127.0.0.1/32] }
alerts:
  mail: { server: "${mails.url}", from: calendar@town.example }
  receivers: { clerk: { mail: clerk@town.example, code: ${CODE} }, boss: { mail: boss@town.example } }
sources:
  town: { url: "${feeds.url}/town.ics", missing: { after: 1 } }
`);
  alerts = openAlerts(app);
  feeds.on('/town.ics', body(calendarText(comingEvents(10))));
  await app.sync('town');
  feeds.on('/town.ics', body(calendarText(comingEvents(10).slice(6))));
  held = await app.sync('town');
  await alerts.sendDue();
  path = /\/review\/[\w.-]+/.exec(mailTo('clerk')?.text ?? '')?.[0] ?? '';
});
afterEach(async () => {
  await alerts.close();
  await program.close();
  await Promise.all([mails.close(), feeds.close()]);
});

const mailTo = (name: string) => mails.mails.find(({ to }) => to[0] === `${name}@town.example`);
async function visit(at: string, init: RequestInit = {}): Promise<{ readonly status: number; readonly html: string }> {
  const [[, handle]] = reviewRoutes(app, engineOf(app)) as unknown as [[string, Handle]];
  const response = await handle(new Request(`http://127.0.0.1:8080${at}`, init), '192.0.2.7');
  return { status: response.status, html: await response.text() };
}
const decide = (fields: Record<string, string>, at = path) =>
  visit(at, { method: 'POST', body: new URLSearchParams(fields) });
const stateOf = async (): Promise<string | undefined> => (await loadRun(app.state.database.query(), held.run))?.state;
const titles = async (): Promise<number> => (await app.events()).length;

describe('a held plan', () => {
  test('is mailed with a link for deciding to those who have a code, and without one to others', () => {
    expect(held.state).toBe('held');
    expect(mailTo('clerk')?.headers['subject']).toBe('town: 6 of 10 coming events would be removed');
    expect(mailTo('clerk')?.text).toContain('Decide with your code: http://127.0.0.1:8080/review/');
    expect(mailTo('boss')?.text).not.toContain('/review/');
  });

  test('is shown at the link, and opening the link several times decides nothing', async () => {
    for (let times = 0; times < 3; times += 1) {
      const { status, html } = await visit(path);
      expect([status, html]).toEqual([
        200,
        expect.stringContaining('<h1>The feed of town has lost 6 of its 10 coming events</h1>') as string,
      ]);
      expect(html).toContain('<h2>Removed 6</h2>');
      expect(html).toContain('Event number 3');
    }
    expect(await stateOf()).toBe('held');
  });

  test('lists which events change, and which of their fields', async () => {
    await decide({ code: CODE, do: 'reject' });
    const [first, ...others] = comingEvents(10);
    feeds.on(
      '/town.ics',
      body(
        calendarText([
          { ...first!, lines: ['DESCRIPTION:Longer', 'LOCATION:Hall'] },
          ...others.map((event) => ({ ...event, title: 'Closed' })),
        ]),
      ),
    );
    await app.sync('town');
    await alerts.sendDue();
    const token = mails.mails.map(({ text }) => /\/review\/[\w.-]+/.exec(text)?.[0]).findLast((each) => each);
    const text = (await visit(token!)).html.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/Event number 0 \d{4}-\d\d-\d\d 18:00, description, venue/);
    expect(text).toMatch(/Event number 1 → Closed \d{4}-\d\d-\d\d 18:00 Event number 2 → Closed/);
  });

  test('is approved with the code, and the history says who did so', async () => {
    const done = await decide({ code: CODE, do: 'approve', reason: 'the season is over' });
    expect([done.status, done.html]).toEqual([200, expect.stringContaining('<h1>Approved</h1>') as string]);
    expect([await stateOf(), await titles()]).toEqual(['done', 4]);
    const [act] = (await actsOfRuns(app.state.database.query(), [held.run])).get(held.run) ?? [];
    expect(act).toMatchObject({
      kind: 'approve',
      by: { name: 'clerk', from: 'mail', address: '192.0.2.7' },
      reason: 'the season is over',
    });
    expect((await visit(path)).html).toContain('clerk approved the plan: “the season is over”.');
    expect((await decide({ code: CODE, do: 'reject' })).html).toContain('Nothing was done: this plan is closed');
    expect(await stateOf()).toBe('done');
  });

  test('is approved except for unticked events, and a wrong code keeps the ticks', async () => {
    const { html } = await visit(path);
    const ticks = [...html.matchAll(/name="tick" value="([^"]+)"\s+checked/g)].map(([, slug = '']) => slug);
    expect(ticks).toHaveLength(6);
    const fields = new URLSearchParams({ shown: ticks.join(' '), do: 'approve', code: 'wrong' });
    for (const slug of ticks.slice(2)) fields.append('tick', slug);
    const again = await visit(path, { method: 'POST', body: fields });
    expect(again.status).toBe(403);
    expect([...again.html.matchAll(/name="tick" value="[^"]+"\s+checked/g)]).toHaveLength(4);
    fields.set('code', CODE);
    expect((await visit(path, { method: 'POST', body: fields })).html).toContain(
      'without 2 events, as you left them out',
    );
    expect([await stateOf(), await titles()]).toEqual(['done', 6]);
    const [act] = (await actsOfRuns(app.state.database.query(), [held.run])).get(held.run) ?? [];
    expect(act?.details).toEqual({ except: ticks.slice(0, 2) });
  });

  test('is rejected with the code', async () => {
    expect((await decide({ code: CODE, do: 'reject' })).html).toContain('<h1>Rejected</h1>');
    expect([await stateOf(), await titles()]).toEqual(['rejected', 10]);
  });

  test('still waits after wrong codes, of which only five an hour can be tried', async () => {
    const answers: number[] = [];
    for (let times = 0; times < 5; times += 1)
      answers.push((await decide({ code: `guess ${times}`, do: 'approve' })).status);
    answers.push((await decide({ code: CODE, do: 'approve' })).status);
    expect(answers).toEqual([403, 403, 403, 403, 403, 429]);
    expect(await stateOf()).toBe('held');
    program.clock.now += 3_600_001;
    expect((await decide({ code: CODE, do: 'approve' })).status).toBe(200);
  });

  test('does not allow more codes if they are tried at the same time', async () => {
    const guesses = Array.from({ length: 20 }, (_, guess) => decide({ code: `guess ${guess}`, do: 'approve' }));
    const answers = (await Promise.all(guesses)).map(({ status }) => status);
    expect(answers.filter((status) => status === 403)).toHaveLength(5);
    expect(answers.filter((status) => status === 429)).toHaveLength(15);
  });

  test('that was superseded says so, and cannot be approved by its old mail', async () => {
    feeds.on('/town.ics', body(calendarText(comingEvents(10).slice(7))));
    expect(await app.sync('town')).toMatchObject({ state: 'held' });
    const { html } = await decide({ code: CODE, do: 'approve' });
    expect(html).toContain('This plan of town is out of date');
    expect(await titles()).toBe(10);
  });

  test('has a link that works for nine days and cannot be forged', async () => {
    const [text = '', signature = ''] = path.slice('/review/'.length).split('.');
    const forged = Buffer.from(JSON.stringify([held.run, 'boss', Number.MAX_SAFE_INTEGER])).toString('base64url');
    const wrong = [`/review/${forged}.${signature}`, `/review/${text}`, `/review/${text}.${signature}x`, '/review/x.y'];
    for (const at of wrong) expect((await decide({ code: CODE, do: 'approve' }, at)).status).toBe(404);
    // The next reminder has a new link; it comes after a week, and may be late.
    program.clock.now += 8 * 86_400_000;
    expect((await visit(path)).status).toBe(200);
    program.clock.now += 86_400_000 + 1;
    expect((await visit(path)).status).toBe(404);
    expect(await stateOf()).toBe('held');
  });
});
