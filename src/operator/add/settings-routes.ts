import { backTo } from '../sources/acts.ts';
import { loadFacts } from '../../run/watch/facts.ts';
import { problemsOf } from '../../run/watch/history.ts';
import { whyChooseColumns } from '../sources/columns.ts';
import { noSuchSource } from '../sources/no-such-source.ts';
import { sourcePath, startedPath } from '../sources/paths.ts';
import { html } from '../../html/template.ts';
import { editSource, removeSource, renameSource, sourceIn, type Spliced } from '../../config/splice/splice.ts';
import { startTrashing } from '../../run/decisions/forget-source.ts';
import { endFirstRun } from '../../run/state/held.ts';
import { loadSourceRecord } from '../../run/state/feed-state.ts';
import { actorOf } from '../frame/actor.ts';
import type { Answer, Asked, Page, Route, Sent } from '../frame/operator.ts';
import { banner } from '../frame/parts.ts';
import { isInFile, notYetInFileNote } from './manual-change.ts';
import { editOf, fileNow, save, untilLoaded, whyNotSaved, type Saved } from './config-edit.ts';
import { settingGroups, originalValueName, withFields } from './settings-fields.ts';
import { settingsPage, type SettingsShown } from './settings-page.ts';

/** The page of a source's settings. */
export const SETTINGS_ROUTE: Route = {
  path: '/sources/:source/settings/',
  right: 'administrator',
  show: (asked) => show(asked),
  acts: { show: preview, save: saveSettings, rename, remove, wait: waitFor },
};

const FIELDS = settingGroups().flatMap(({ fields }) => fields);

async function show(asked: Asked, more: Partial<SettingsShown> = {}): Promise<Page> {
  const { operator } = asked;
  const name = asked.params['source'] ?? '';
  const { text, readOnly } = await fileNow(operator);
  const source = sourceIn(text, name);
  if (!source) return noSuchSource(name);
  const setup = operator.context.sources.get(name);
  const standing = setup && (await loadSourceRecord(operator.context.database.query(), setup.site.key, name));
  const saved = asked.url.searchParams.has('saved');
  return settingsPage(asked, {
    name,
    source,
    text,
    readOnly,
    edit: undefined,
    kept: standing?.kept ?? 0,
    chooseColumns: await chooseColumns(asked, name),
    ...(saved
      ? {
          message: banner(
            'good',
            html`<p>Saved. ${setup ? 'It is in force from now on.' : 'It comes into force within a few seconds.'}</p>`,
            true,
          ),
        }
      : {}),
    ...more,
  });
}

async function chooseColumns({ operator, now }: Asked, name: string): Promise<string | undefined> {
  const watched = (await operator.watched()).find(({ source }) => source === name);
  if (!watched) return undefined;
  const query = operator.context.database.query();
  const [[facts], problems] = await Promise.all([loadFacts(query, [watched], now), problemsOf(query, watched)]);
  return facts && whyChooseColumns(facts, problems);
}

/** The value of a field changed in the form. Others may have changed the rest of the file since it was shown. */
const changedIn =
  (sent: Sent) =>
  (field: string): string | undefined => {
    const text = sent.all(field)[0];
    return text === sent.all(originalValueName(field))[0] ? undefined : text;
  };

/** The change of the file that the form asks for. */
function splicing(asked: Asked, sent: Sent): (text: string) => Spliced {
  const name = asked.params['source'] ?? '';
  return (text) => {
    const before = sourceIn(text, name);
    if (!before) return { kind: 'byHand', because: `There is no source "${name}" in the file.` };
    return editSource(text, name, withFields(before, FIELDS, changedIn(sent)));
  };
}

async function preview(asked: Asked, sent: Sent): Promise<Answer> {
  const edit = await editOf(asked.operator, splicing(asked, sent));
  return show(asked, { edit, ...(await typedIn(asked, sent)) });
}

/** The source as typed in the form, to be shown again. */
async function typedIn(asked: Asked, sent: Sent): Promise<Pick<Partial<SettingsShown>, 'source'>> {
  const { text } = await fileNow(asked.operator);
  const before = sourceIn(text, asked.params['source'] ?? '');
  return before ? { source: withFields(before, FIELDS, changedIn(sent)) } : {};
}

async function saveSettings(asked: Asked, sent: Sent): Promise<Answer> {
  const name = asked.params['source'] ?? '';
  const saved = await save(asked, splicing(asked, sent), { source: name });
  return saved.kind === 'saved'
    ? settingsOf(name)
    : notSaved(asked, saved, splicing(asked, sent), name, await typedIn(asked, sent));
}

/** Explains why; shows what cannot be written, to be put into the file by hand. */
async function notSaved(
  asked: Asked,
  saved: Exclude<Saved, { readonly kind: 'saved' }>,
  splice: (text: string) => Spliced,
  becomes: string,
  typed: Partial<SettingsShown> = {},
): Promise<Page> {
  return saved.kind === 'readOnly'
    ? show(asked, { edit: await editOf(asked.operator, splice), becomes, ...typed })
    : show(asked, { message: whyNotSaved(saved), ...typed });
}

/** Continues once the change has been made in the file by hand. */
async function waitFor(asked: Asked, sent: Sent): Promise<Answer> {
  const name = asked.params['source'] ?? '';
  const becomes = sent.field('becomes') || name;
  if (!(await isInFile(asked, sent))) return show(asked, { message: notYetInFileNote(becomes) });
  const { text } = await fileNow(asked.operator);
  return sourceIn(text, becomes) ? settingsOf(becomes) : { to: '/sources/' };
}

const settingsOf = (name: string): Answer => ({ to: `${sourcePath(name, 'settings')}?saved` });

async function rename(asked: Asked, sent: Sent): Promise<Answer> {
  const [name, to] = [asked.params['source'] ?? '', sent.field('to').trim()];
  if (to === '' || to === name)
    return show(asked, { message: banner('warn', html`<p>Write another name first.</p>`, true) });
  const splice = (text: string): Spliced => renameSource(text, name, to);
  const saved = await save(asked, splice, { source: to });
  if (saved.kind !== 'saved') return notSaved(asked, saved, splice, to);
  await untilLoaded(asked.operator, () => asked.operator.context.sources.has(to));
  return settingsOf(to);
}

/** Removes a source from the file. Its events stay, or go to the trash in a run that can be undone. */
async function remove(asked: Asked, sent: Sent): Promise<Answer> {
  const { context, engine } = asked.operator;
  const name = asked.params['source'] ?? '';
  const setup = context.sources.get(name);
  const standing = setup && (await loadSourceRecord(context.database.query(), setup.site.key, name));
  const splice = (text: string): Spliced => removeSource(text, name);
  const saved = await save(asked, splice, { source: name });
  if (saved.kind !== 'saved') return notSaved(asked, saved, splice, name);
  const isGone = await untilLoaded(asked.operator, () => !context.sources.has(name));
  if (!setup) return backTo('/sources/', ['taken-out', 0]);
  await endFirstRun(context.database.query(), setup.site.key, name);
  const kept = standing?.kept ?? 0;
  if (sent.field('events') !== 'trash') return backTo('/sources/', ['taken-out', kept]);
  const atWork = backTo('/sources/', ['taken-out-at-work', kept]);
  if (!isGone) return atWork;
  const started = await engine.carryOut(setup, () => startTrashing(context, setup, { by: actorOf(asked) }));
  return { to: startedPath(started, atWork.to) };
}
