import { expect, test } from 'vitest';
import { commandIn, type Said } from '../../support/command.ts';
import { body, feedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../../support/feed-text.ts';
import { syncingApp } from '../../support/syncing-app.ts';

const titled = (to: string): FeedEvent[] =>
  feedEvents(8).map((event, index) => (index < 2 ? { ...event, title: `${to} ${index}` } : event));

// Nothing can be decided about a source that was removed from the configuration until it is back.

test('decisions are asked for only while their source is configured', async () => {
  const [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  try {
    const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));
    feeds.on('/other.ics', body(calendarText(feedEvents(1))));
    const config = (name: string): string =>
      'builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n' +
      `  ${name}: { url: "${feeds.url}/${name}.ics", missing: { after: 1 } }\n`;
    const app = await syncing.open(config('town'));
    publish(titled('As it was'));
    await app.sync('town');
    const [edited, removed] = await app.events();
    await app.site.write([
      { method: 'POST', path: `/events/${edited!.id}`, body: { title: 'Of a person' } },
      { method: 'DELETE', path: `/events/${removed!.id}` },
    ]);
    publish(titled('As it is'));
    await app.sync('town');
    publish(titled('As it is').filter((_, index) => index === 0 || index === 7));
    expect((await app.sync('town')).state).toBe('held');

    const waiting = async (name: string): Promise<readonly unknown[]> => {
      const said = (...words: readonly string[]): Promise<Said> => commandIn(syncing, config(name), words);
      const [settle, restore, doctor] = [await said('settle'), await said('restore'), await said('doctor', '--json')];
      const codes = (doctor.json['problems'] as { readonly code: string }[]).map(({ code }) => code);
      return [settle.out.includes('Of a person'), restore.out.includes(removed!.slug), codes, doctor.code];
    };
    const asked = [true, true, ['run-held', 'conflicts'], 2];
    expect(await waiting('town')).toEqual(asked);
    expect(await waiting('other')).toEqual([false, false, [], 0]);
    expect(await waiting('town')).toEqual(asked);
  } finally {
    await Promise.all([syncing.close(), feeds.close()]);
  }
});
