import { afterAll, beforeAll, expect, test } from 'vitest';
import { docNames } from '../../../src/operator/help/doc-pages.ts';
import { signedInConsole, type ConsoleClient } from '../../support/console.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

let syncing: SyncingApp;
let app: OpenedApp;
let browser: ConsoleClient;

beforeAll(async () => {
  syncing = await syncingApp();
  app = await syncing.open('sources: {}');
  browser = await signedInConsole(app, 'eve', 'editor');
});
afterAll(() => syncing.close());

test('help links to each page of the index, and no link on these pages is broken', async () => {
  const names = await docNames();
  expect(names).toContain('first-source');
  const { html } = await browser.get('/help/');
  const ids = new Map<string, string>();
  const links = new Set<string>();
  for (const name of names) {
    expect(html).toContain(`href="/operator/help/${name}/"`);
    const page = await browser.get(`/help/${name}/`);
    expect(page.status).toBe(200);
    ids.set(`/operator/help/${name}/`, page.html);
    const article = /<article[\s\S]*<\/article>/.exec(page.html)?.[0] ?? '';
    for (const [, to = ''] of article.matchAll(/href="([^"]+)"/g))
      links.add(to.startsWith('#') ? `/operator/help/${name}/${to}` : to);
  }
  const lost = [...links].filter((link) => {
    const [page = '', id] = link.split('#');
    const shown = ids.get(page);
    return id !== undefined && shown?.includes(`id="${id}"`) !== true;
  });
  expect(lost).toEqual([]);
  const refused: string[] = [];
  for (const link of links) {
    const [, page] = /^\/operator(\/.*)$/.exec(link) ?? [];
    if (page !== undefined && (await browser.get(page)).status !== 200) refused.push(page);
  }
  expect(refused).toEqual([]);
});

test('only administrators get links to pages for administrators', async () => {
  const link = 'href="/operator/add/"';
  expect((await browser.get('/help/first-source/')).html).not.toContain(link);
  const administrator = await signedInConsole(app);
  expect((await administrator.get('/help/first-source/')).html).toContain(link);
});

test('names that are not in the index are not help pages', async () => {
  for (const name of ['nowhere', 'README', 'walks', 'threat-model', '..%2FREADME', '%2Fetc%2Fpasswd'])
    expect((await browser.get(`/help/${name}/`)).status).toBe(404);
});
