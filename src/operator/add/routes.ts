import { runPath, sourcePath, startedPath } from '../sources/paths.ts';
import { html } from '../../html/template.ts';
import { addSource } from '../../config/splice/splice.ts';
import { holdFirstRun } from '../../run/state/held.ts';
import { plainSettings } from '../../run/discover/plain-settings.ts';
import { listRuns } from '../../run/state/records.ts';
import { LISTS } from '../../run/site/site-lists.ts';
import { startRun } from '../../run/steps/start-run.ts';
import { actorOf } from '../frame/actor.ts';
import type { Answer, Asked, Route, Sent } from '../frame/operator.ts';
import { banner } from '../frame/parts.ts';
import { blockOf, chosenFeed, newSource, siteFor, unknownCategories, type NewSource } from './add-form.ts';
import { addPage, type Looked } from './add-page.ts';
import { editOf, save, untilLoaded, whyNotSaved } from './config-edit.ts';
import { SETTINGS_ROUTE } from './settings-routes.ts';
import { keepUpload, lookAt, UPLOAD_BYTES_MAX } from './looking.ts';

/** Adding a source, and the settings of one. */
export const routes: readonly Route[] = [
  {
    path: '/add/',
    right: 'administrator',
    bytesMax: UPLOAD_BYTES_MAX,
    show,
    acts: { look, upload, save: saveNew, wait: waitFor },
  },
  SETTINGS_ROUTE,
];

/** An address in a link of ours is looked at; one that comes from elsewhere waits for the button. */
async function show(asked: Asked): Promise<Answer> {
  const address = asked.url.searchParams.get('url')?.trim() ?? '';
  const isOurs = asked.request.headers.get('sec-fetch-site') === 'same-origin';
  return address !== '' && isOurs ? addPage(asked, await lookedAt(asked, address, NOTHING_SENT)) : addPage(asked);
}

const NOTHING_SENT: Sent = { field: () => '', all: () => [], file: () => undefined };

async function look(asked: Asked, sent: Sent): Promise<Answer> {
  const address = sent.field('url').trim();
  return address === '' ? addPage(asked) : addPage(asked, await lookedAt(asked, address, sent));
}

async function upload(asked: Asked, sent: Sent): Promise<Answer> {
  const file = sent.file('file');
  if (!file || file.size === 0)
    return addPage(asked, undefined, banner('warn', html`<p>Choose a file first.</p>`, true));
  return addPage(asked, await lookedAt(asked, await keepUpload(asked.operator, file), sent));
}

async function lookedAt(asked: Asked, address: string, sent: Sent): Promise<Looked> {
  const { operator, now } = asked;
  const zone = asked.zoneOf(siteFor(operator, sent.field('site')).key);
  const discovery = await lookAt(
    operator,
    address,
    plainSettings('', now, zone, sent.field('timezone').trim() || undefined),
    now,
  );
  const feed = chosenFeed(discovery, sent.field('feed'));
  if (!feed) return { address, discovery };
  const site = siteFor(operator, sent.field('site'));
  const source = newSource(operator, feed, sent, site);
  const sites = operator.sites().map(({ name }) => name);
  const onSite = (await LISTS.categories(site.client()))
    .map(({ name }) => name)
    .toSorted((one, other) => one.localeCompare(other));
  const edit = await editOf(operator, (text) =>
    addSource(text, source.name, blockOf(source, feed, sites.length === 1)),
  );
  const languages = site.isBuiltin ? operator.config().builtin.languages : [];
  return {
    address,
    discovery,
    chosen: { feed, source, edit, unknown: unknownCategories(feed, onSite), onSite, languages, sites },
  };
}

/** Writes the new source into the file, and shows its first run as a plan. */
async function saveNew(asked: Asked, sent: Sent): Promise<Answer> {
  const looked = await lookedAt(asked, sent.field('url').trim(), sent);
  if (!looked.chosen) return addPage(asked, looked);
  const { source, feed, sites } = looked.chosen;
  const block = blockOf(source, feed, sites.length === 1);
  const { context } = asked.operator;
  // Before the file, so that no schedule is faster. It stays if nothing was saved: the form may have been sent twice, or
  // somebody puts the block into the file.
  if (!context.sources.has(source.name))
    await holdFirstRun(context.database.query(), siteFor(asked.operator, source.site).key, source.name);
  const saved = await save(asked, (text) => addSource(text, source.name, block), { source: source.name });
  return saved.kind === 'saved' ? begin(asked, source) : addPage(asked, looked, whyNotSaved(saved));
}

/** Somebody has put the block into the file by hand. */
async function waitFor(asked: Asked, sent: Sent): Promise<Answer> {
  const looked = await lookedAt(asked, sent.field('url').trim(), sent);
  if (!looked.chosen) return addPage(asked, looked);
  const { source } = looked.chosen;
  const isThere = asked.operator.context.sources.has(source.name);
  if (isThere) return begin(asked, source);
  return addPage(
    asked,
    looked,
    banner(
      'info',
      html`<p>
        “${source.name}” is not in the file yet, or the file has not been read again. It is looked at every two seconds.
      </p>`,
      true,
    ),
  );
}

async function begin(asked: Asked, { name }: NewSource): Promise<Answer> {
  const { operator } = asked;
  const { context, engine } = operator;
  await untilLoaded(operator, () => context.sources.has(name));
  const setup = context.sources.get(name);
  if (!setup) return { to: sourcePath(name) };
  const started = await engine.carryOut(setup, () =>
    startRun(context, setup, 'command', false, { by: actorOf(asked) }),
  );
  if (started.kind !== 'busy') return { to: startedPath(started, sourcePath(name)) };
  // Its schedule was faster: that run is its first plan.
  const [latest] = await listRuns(context.database.query(), name, 1);
  return { to: latest ? runPath(latest.run) : sourcePath(name) };
}
