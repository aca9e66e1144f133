import { expect, test } from 'vitest';
import { commandIn } from '../../support/command.ts';
import { body, feedServer, status } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { syncingApp } from '../../support/syncing-app.ts';

test('doctor calls sources and sites by their names in JSON, whether they work or not', async () => {
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
