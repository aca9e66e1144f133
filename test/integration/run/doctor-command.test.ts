import { expect, test } from 'vitest';
import { commandIn } from '../../support/command.ts';
import { body, feedServer, status } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { syncingApp } from '../../support/syncing-app.ts';

test('the JSON of doctor names each site and source, whether it works or not', async () => {
  const [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  try {
    feeds.on('/good.ics', body(calendarText(feedEvents(3))));
    feeds.on('/bad.ics', status(404));
    const { code, json } = await commandIn(
      syncing,
      `fetch: { allow_addresses: [127.0.0.1/32] }
sites: { town: { url: builtin }, museum: { url: "${feeds.url}/wp-json", username: a, application_password: b } }
sources:
  good: { url: "${feeds.url}/good.ics", site: town }
  bad: { url: "${feeds.url}/bad.ics", site: town }
`,
      ['doctor', '--json'],
    );
    expect({ code, ...json }).toMatchObject({
      code: 1,
      ok: false,
      sites: [
        { name: 'town', ok: true },
        { name: 'museum', ok: false },
      ],
      sources: [
        { name: 'good', ok: true, events: 3 },
        { name: 'bad', ok: false },
      ],
    });
  } finally {
    await Promise.all([syncing.close(), feeds.close()]);
  }
});

test('a paused source that fails is not a problem for doctor, which says both', async () => {
  const [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  try {
    feeds.on('/choir.ics', status(404));
    feeds.on('/club.ics', status(404));
    const sources = (paused: boolean): string => `fetch: { allow_addresses: [127.0.0.1/32] }
sources:
  choir: { url: "${feeds.url}/choir.ics" }
  club: { url: "${feeds.url}/club.ics", paused: ${String(paused)} }
`;
    const on = (paused: boolean, ...words: string[]) => commandIn(syncing, sources(paused), words);
    for (const source of ['choir', 'club']) await on(false, 'sync', source);
    expect(await on(false, 'doctor', '--json')).toMatchObject({
      code: 1,
      json: { failing: { ok: false, sources: ['choir', 'club'], paused: [] } },
    });
    await on(true, 'pause', 'choir', '--reason', 'new website');
    expect(await on(true, 'doctor', '--json')).toMatchObject({
      code: 0,
      json: {
        ok: true,
        problems: [],
        sources: [
          { name: 'choir', ok: true, paused: true, remarks: [{ code: 'feed-not-found' }] },
          { name: 'club', ok: true, paused: true, remarks: [{ code: 'feed-not-found' }] },
        ],
        failing: { ok: true, sources: [], paused: ['choir', 'club'] },
      },
    });
    const { out } = await on(true, 'doctor');
    expect(out).toMatch(
      /~ choir is paused until somebody resumes it, by .+: “new website”\. Its runs have failed since .+: there is nothing at the address/,
    );
    expect(out).toMatch(
      /~ club is paused by the configuration file\. Its runs have failed since .+: there is nothing at the address/,
    );
    expect(out).not.toContain('BAD');
    await on(true, 'resume', 'choir');
    expect(await on(true, 'doctor', '--json')).toMatchObject({ code: 1, json: { failing: { sources: ['choir'] } } });
  } finally {
    await Promise.all([syncing.close(), feeds.close()]);
  }
});
