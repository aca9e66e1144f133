import { noSuchSource } from '../sources/no-such-source.ts';
import { sourcePath, startedPath } from '../sources/paths.ts';
import { asLiteral } from '../../config/environment.ts';
import { html, type Html } from '../../html/template.ts';
import { editSource, sourceIn, type Spliced } from '../../config/splice/splice.ts';
import type { RawMap } from '../../config/splice/raw.ts';
import { AppError } from '../../error.ts';
import { bodyFetchedAt, loadBody, loadFeedState, loadSourceRecord } from '../../run/state/feed-state.ts';
import { categoriesEverywhere, LISTS } from '../../run/site/site-lists.ts';
import { startRun } from '../../run/steps/start-run.ts';
import { nearVenueNames } from '../../sync/links/near-matches.ts';
import { nameKey } from '../../sync/model/slug.ts';
import type { RulePath, RuleTrial } from '../../sync/drafts/rule-trial.ts';
import { actorOf } from '../frame/actor.ts';
import type { Answer, Asked, Page, Route, Sent } from '../frame/operator.ts';
import { banner, button, form } from '../frame/parts.ts';
import { ago } from '../frame/times.ts';
import { isInFile, notYetInFileNote } from '../add/manual-change.ts';
import { editOf, fileNow, save, whyNotSaved, type Edit } from '../add/config-edit.ts';
import { tryPage } from '../runs/try-page.ts';
import { hasRuleFields, ruleSent } from './rule-form.ts';
import { pathKey } from './rule-kinds.ts';
import {
  withNewRule,
  withRuleChanged,
  withoutRule,
  kindNamed,
  withRuleMoved,
  onlyRules,
  pathFromText,
  ruleAt,
  rulesFromText,
  slowExpressions,
  withRules,
} from './rule-state.ts';
import { rulesPage, type Suggestions, type TrialResult } from './rules-page.ts';

/** The page to edit and try out the rules of a source. */
export const routes: readonly Route[] = [
  {
    path: '/sources/:source/rules/',
    right: 'administrator',
    show: async (asked) => bench(asked, undefined, savedMessage(asked)),
    acts: {
      try: (asked, sent) => bench(asked, stateSent(sent)),
      pick: (asked, sent) =>
        bench(asked, { ...stateSent(sent), path: pathFromText(asked.url.searchParams.get('at') ?? '') }),
      up: (asked, sent) => bench(asked, move(stateSent(sent), -1)),
      down: (asked, sent) => bench(asked, move(stateSent(sent), 1)),
      drop: (asked, sent) => bench(asked, drop(stateSent(sent))),
      new: (asked, sent) => bench(asked, begin(asked, stateSent(sent))),
      map: (asked, sent) => bench(asked, mapCategories(stateSent(sent), sent)),
      alias: (asked, sent) => bench(asked, alias(asked, stateSent(sent))),
      part: (asked, sent) => bench(asked, partAddresses(stateSent(sent))),
      plan: planWith,
      save: saveRules,
      wait: waitFor,
      run: runNow,
    },
  },
];

/** The rules as they are on the page, and which of them is being edited. */
interface State {
  readonly rules: RawMap;
  readonly path: RulePath | undefined;
}

/** The rules that the form describes, including unsaved edits of the open rule. */
function stateSent(sent: Sent): State {
  const rules = rulesFromText(sent.field('rules')) ?? {};
  const path = pathFromText(sent.field('path'));
  const rule = ruleAt(rules, path);
  if (!rule) return { rules, path: undefined };
  if (!hasRuleFields(sent)) return { rules, path };
  return withRuleChanged(rules, rule, ruleSent(rule.kind, sent, rule.value));
}

function move({ rules, path }: State, by: -1 | 1): State {
  const rule = ruleAt(rules, path);
  return rule ? withRuleMoved(rules, rule, by) : { rules, path };
}

function drop({ rules, path }: State): State {
  const rule = ruleAt(rules, path);
  return { rules: rule ? withoutRule(rules, rule) : rules, path: undefined };
}

function begin({ url }: Asked, state: State): State {
  const kind = kindNamed(url.searchParams.get('kind') ?? '');
  if (!kind) return state;
  const next = withNewRule(state.rules, kind);
  // If there is room for only one such rule, edits the existing one.
  return kind.holds !== 'list' && ruleAt(state.rules, next.path) ? { ...state, path: next.path } : next;
}

function mapCategories({ rules, path }: State, sent: Sent): State {
  const kind = kindNamed('categories.map');
  const to = sent.all('mapped');
  const chosen = sent.all('from').flatMap((key, index) => (to[index] ? [{ key, value: asLiteral(to[index]) }] : []));
  return { rules: kind ? chosen.reduce((now, next) => withNewRule(now, kind, next).rules, rules) : rules, path };
}

function alias({ url }: Asked, { rules, path }: State): State {
  const kind = kindNamed('venue.aliases');
  const [key, value] = [url.searchParams.get('from'), url.searchParams.get('to')];
  return kind && key && value ? withNewRule(rules, kind, { key, value: asLiteral(value) }) : { rules, path };
}

/** Splits "Town Hall, 12 High Street": the name ends at the first comma that has a number after it. */
const NAME_AND_ADDRESS = /^(.+?), (.*\d.*)$/;
const PARTED: RawMap = {
  when: [{ field: 'venue', matches: NAME_AND_ADDRESS.source }],
  venue: '{1}',
  address: '{2}',
};

function partAddresses({ rules, path }: State): State {
  const kind = kindNamed('set');
  return kind ? withNewRule(rules, kind, { key: '', value: PARTED }) : { rules, path };
}

const splicing =
  (name: string, rules: RawMap) =>
  (text: string): Spliced => {
    const before = sourceIn(text, name);
    return before
      ? editSource(text, name, withRules(before, rules))
      : { kind: 'byHand', because: `There is no source "${name}" in the file.` };
  };

async function bench(asked: Asked, given?: State, message?: Html): Promise<Page> {
  const { operator } = asked;
  const name = asked.params['source'] ?? '';
  const source = sourceIn((await fileNow(operator)).text, name);
  if (!source) return noSuchSource(name);
  const rules = given?.rules ?? onlyRules(source);
  const edit = await editOf(operator, splicing(name, rules));
  const slow = slowExpressions(rules);
  const at = ruleAt(rules, given?.path);
  const isShownWhole = asked.url.searchParams.has('all');
  const { tried, readAt } = await tryOn(
    asked,
    name,
    slow.length > 0 ? undefined : edit,
    at && isShownWhole ? at.path : undefined,
  );
  const suggestions = tried.kind === 'tried' ? await suggestionsFrom(asked, name, tried.trial) : NO_SUGGESTIONS;
  return rulesPage(asked, {
    name,
    rules,
    at,
    isShownWhole,
    edit,
    slow,
    tried,
    readAt,
    suggestions,
    kept: await keptOf(asked, name),
    message,
  });
}

/** How many events of a source are on the site. */
async function keptOf({ operator: { context } }: Asked, name: string): Promise<number> {
  const setup = context.sources.get(name);
  return setup ? (await loadSourceRecord(context.database.query(), setup.site.key, name)).kept : 0;
}

const WHOLE_MAX = 200;
const NO_SUGGESTIONS: Suggestions = { categories: [], onSite: [], venues: [], inOneLine: [] };

interface TriedOn {
  readonly tried: TrialResult;
  readonly readAt: Html | undefined;
}

const failed = (message: string): TriedOn => ({ tried: { kind: 'failed', message }, readAt: undefined });

/** Tries the rules on the stored body of the last good reading. */
async function tryOn(
  asked: Asked,
  name: string,
  edit: Edit | undefined,
  whole: RulePath | undefined,
): Promise<TriedOn> {
  const { context, draftSettings } = asked.operator;
  const value = edit?.kind === 'edit' ? edit.checked.value : undefined;
  const source = value?.sources.find((each) => each.name === name);
  const setup = context.sources.get(name);
  if (!source) return failed('The rules can be tried once their mistakes are corrected.');
  if (!setup) return failed('The configuration with this source is not in force yet.');
  const query = context.database.query();
  const bytes = await loadBody(query, setup.site.key, name);
  if (!bytes) return failed('The feed has not been read yet. Once it has, the rules are tried on it here.');
  const { contentType } = await loadFeedState(query, setup.site.key, name);
  try {
    const output = await context.parser.tryRules({
      bytes,
      contentType,
      addresses: [source.url],
      format: source.format,
      settings: draftSettings(source, asked.now, asked.zoneOf(setup.site.key)),
      ...(whole ? { shown: { path: whole, max: WHOLE_MAX } } : {}),
    });
    if (output.kind !== 'tried') return failed(output.problem.message);
    const at = await bodyFetchedAt(query, setup.site.key, name);
    const zone = asked.zoneOf(setup.site.key);
    return { tried: output, readAt: at === undefined ? undefined : ago(at, zone, asked.now) };
  } catch (error) {
    if (error instanceof AppError) return failed(error.message);
    throw error;
  }
}

async function suggestionsFrom(asked: Asked, name: string, trial: RuleTrial): Promise<Suggestions> {
  const setup = asked.operator.context.sources.get(name);
  if (!setup) return NO_SUGGESTIONS;
  const { client } = setup.site;
  const [terms, venues] = [await categoriesEverywhere(client), await LISTS.venues(client)];
  const known = new Set(terms.map((term) => nameKey(term.name)));
  const counts = new Map(trial.venues.first.map((venue) => [venue.name, venue.count]));
  return {
    categories: trial.categories.first.filter((category) => !known.has(nameKey(category.name))),
    onSite: [...new Set(terms.map((term) => term.name))].toSorted((one, other) => one.localeCompare(other)),
    venues: nearVenueNames([...counts.keys()], venues).map((near) => ({ ...near, count: counts.get(near.name) ?? 0 })),
    inOneLine: withNameOfTheirOwn([...counts.keys()]),
  };
}

/** Venues with a name and an address in one text, except where several share the name, such as rooms. */
function withNameOfTheirOwn(venues: readonly string[]): readonly string[] {
  const parted = venues.flatMap((venue) => {
    const name = NAME_AND_ADDRESS.exec(venue)?.[1];
    return name === undefined ? [] : [{ venue, key: nameKey(name) }];
  });
  return [...Map.groupBy(parted, ({ key }) => key).values()].flatMap((alike) =>
    alike.length === 1 ? alike.map(({ venue }) => venue) : [],
  );
}

async function saveRules(asked: Asked, sent: Sent): Promise<Answer> {
  const name = asked.params['source'] ?? '';
  const state = stateSent(sent);
  const [slow] = slowExpressions(state.rules);
  if (slow) return bench(asked, { ...state, path: slow.path });
  const saved = await save(asked, splicing(name, state.rules), { source: name });
  return saved.kind === 'saved'
    ? { to: `${sourcePath(name, 'rules')}?saved` }
    : bench(asked, state, whyNotSaved(saved));
}

/** The page that shows what a run would change with the form's rules, saved or not. */
async function planWith(asked: Asked, sent: Sent): Promise<Answer> {
  const { operator } = asked;
  const name = asked.params['source'] ?? '';
  const state = stateSent(sent);
  const setup = operator.context.sources.get(name);
  const edit =
    slowExpressions(state.rules).length > 0 ? undefined : await editOf(operator, splicing(name, state.rules));
  const value = edit?.kind === 'edit' ? edit.checked.value : undefined;
  const source = value?.sources.find((each) => each.name === name);
  // The rules page shows what is wrong with them.
  if (!setup || !source || edit?.kind !== 'edit') return bench(asked, state);
  if (edit.text === edit.before) return tryPage(asked, setup);
  return tryPage(asked, operator.setupWith(setup, source), { form: unsavedForm(asked, name, state) });
}

const unsavedForm = (asked: Asked, name: string, { rules, path }: State): Html =>
  form(
    asked,
    html`<input type="hidden" name="rules" value="${JSON.stringify(rules)}" /><input
        type="hidden"
        name="path"
        value="${path ? pathKey(path) : ''}"
      />${button('try', 'Back to the rules')} ${button('save', 'Save these rules', { kind: 'go' })}`,
    { path: sourcePath(name, 'rules'), kind: 'row' },
  );

/** Continues once these rules have been put into the file by hand. */
async function waitFor(asked: Asked, sent: Sent): Promise<Answer> {
  const name = asked.params['source'] ?? '';
  return (await isInFile(asked, sent))
    ? { to: `${sourcePath(name, 'rules')}?saved` }
    : bench(asked, stateSent(sent), notYetInFileNote(name));
}

const savedMessage = (asked: Asked): Html | undefined =>
  asked.url.searchParams.has('saved')
    ? banner(
        'good',
        html`<p>
            <b>Saved.</b> The next run writes what they change; a change of most events is held for you to look at.
          </p>
          ${form(asked, button('run', 'Check now'))}`,
        true,
      )
    : undefined;

async function runNow(asked: Asked): Promise<Answer> {
  const { context, engine } = asked.operator;
  const name = asked.params['source'] ?? '';
  const setup = context.sources.get(name);
  if (!setup) return noSuchSource(name);
  const started = await engine.carryOut(setup, () =>
    startRun(context, setup, 'command', false, { by: actorOf(asked) }),
  );
  return { to: startedPath(started, sourcePath(name)) };
}
