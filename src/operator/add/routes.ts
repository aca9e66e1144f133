import { runPath, sourcePath, startedPath } from '../sources/paths.ts';
import { html } from '../../html/template.ts';
import { NOTHING_SENT } from '../../request-bytes.ts';
import { isZone } from '../../time.ts';
import { addSource, sourceIn } from '../../config/splice/splice.ts';
import { holdFirstRun } from '../../run/state/held.ts';
import { plainSettings } from '../../run/discover/plain-settings.ts';
import { listRuns } from '../../run/state/records.ts';
import { LISTS } from '../../run/site/site-lists.ts';
import { startRun } from '../../run/steps/start-run.ts';
import { actorOf } from '../frame/actor.ts';
import type { Answer, Asked, Route, Sent } from '../frame/operator.ts';
import { banner } from '../frame/parts.ts';
import { blockOf, chosenFeed, newSource, siteFor, unknownCategories, type NewSource } from './add-form.ts';
import { addPage, type LookupResult } from './add-page.ts';
import { notYetInFileNote } from './manual-change.ts';
import { editOf, fileNow, save, untilLoaded, whyNotSaved } from './config-edit.ts';
import { SETTINGS_ROUTE } from './settings-routes.ts';
import { keepUpload, discoverFeeds, UPLOAD_BYTES_MAX } from './discover-feeds.ts';

/** The pages to add a source and to change its settings. */
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

/** Fetches the address only if the link is on one of our pages; an address from elsewhere waits for the button. */
async function show(asked: Asked): Promise<Answer> {
  const address = asked.url.searchParams.get('url')?.trim() ?? '';
  const isOurs = asked.request.headers.get('sec-fetch-site') === 'same-origin';
  if (address === '' || !isOurs) return addPage(asked);
  // If the file is read-only, looking also marks the source's first run to be held. A link must not do that, so it
  // takes the button.
  const { readOnly } = await fileNow(asked.operator);
  return addPage(asked, readOnly === undefined ? await lookedAt(asked, address, NOTHING_SENT) : undefined);
}

async function look(asked: Asked, sent: Sent): Promise<Answer> {
  const address = sent.field('url').trim();
  // The user may have chosen a file and pressed this button.
  return address === '' ? upload(asked, sent) : addPage(asked, await lookedToAdd(asked, address, sent));
}

/** Holds the first run of a source whose block is put into the file by hand, too. */
async function lookedToAdd(asked: Asked, address: string, sent: Sent): Promise<LookupResult> {
  const looked = await lookedAt(asked, address, sent);
  const edit = looked.chosen?.edit;
  if (looked.chosen && edit?.kind === 'edit' && edit.readOnly !== undefined && edit.checked.value)
    await holdFirst(asked, looked.chosen.source);
  return looked;
}

async function holdFirst({ operator }: Asked, { name, site }: NewSource): Promise<void> {
  const { context } = operator;
  if (!context.sources.has(name)) await holdFirstRun(context.database.query(), siteFor(operator, site).key, name);
}

async function upload(asked: Asked, sent: Sent): Promise<Answer> {
  const file = sent.file('file');
  if (!file || file.size === 0)
    return addPage(asked, undefined, banner('warn', html`<p>Paste an address, or choose a file.</p>`, true));
  return addPage(asked, await lookedToAdd(asked, await keepUpload(asked.operator, file), sent));
}

async function lookedAt(asked: Asked, address: string, sent: Sent): Promise<LookupResult> {
  const { operator, now } = asked;
  const zone = asked.zoneOf(siteFor(operator, sent.field('site')).key);
  const typed = sent.field('timezone').trim();
  // The check of the file says what is wrong with another text; no feed can be read in such a zone.
  const settings = plainSettings('', now, zone, isZone(typed) ? typed : undefined);
  const discovery = await discoverFeeds(operator, address, settings, now);
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
  // Before the file is written, so that the schedule cannot start a run first. Kept if nothing was saved: the form may
  // have been sent twice, or the block is put into the file by hand.
  await holdFirst(asked, source);
  const saved = await save(asked, (text) => addSource(text, source.name, block), { source: source.name });
  return saved.kind === 'saved' ? begin(asked, source) : addPage(asked, looked, whyNotSaved(saved));
}

/** Continues once the block has been put into the file by hand. */
async function waitFor(asked: Asked, sent: Sent): Promise<Answer> {
  const looked = await lookedAt(asked, sent.field('url').trim(), sent);
  if (!looked.chosen) return addPage(asked, looked);
  const { source } = looked.chosen;
  const { text } = await fileNow(asked.operator);
  const isThere =
    sourceIn(text, source.name) !== undefined &&
    (await untilLoaded(asked.operator, () => asked.operator.context.sources.has(source.name)));
  return isThere ? begin(asked, source) : addPage(asked, looked, notYetInFileNote(source.name));
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
  // The schedule was faster, so its run made the first plan.
  const [latest] = await listRuns(context.database.query(), name, 1);
  return { to: latest ? runPath(latest.run) : sourcePath(name) };
}
