import { isolated } from '../../look/words/in-quotes.ts';
import { sourcePath } from '../sources/paths.ts';
import { countInWords } from '../../count-in-words.ts';
import { html, type Html } from '../../html/template.ts';
import type { RawMap } from '../../config/splice/raw.ts';
import type { NameCount, RulePath, RuleTouch, RuleTrial, TouchedEvent } from '../../sync/drafts/rule-trial.ts';
import type { Asked, Page } from '../frame/operator.ts';
import { banner, button, crumbs, form, head, linkTo, state } from '../frame/parts.ts';
import { sign } from '../frame/sprite.ts';
import { row, table } from '../frame/table.ts';
import { sourceTabs } from '../sources/source-tabs.ts';
import { problemList } from '../add/add-page.ts';
import { awaitedParts, manualChangeNote } from '../add/manual-change.ts';
import type { Edit } from '../add/config-edit.ts';
import { wallInWords } from '../add/wall-in-words.ts';
import { yamlDifference } from '../add/yaml-shown.ts';
import { ruleFields } from './rule-form.ts';
import { KINDS, pathKey, rulesIn, SHELVES, type RuleEntry, type RuleKind } from './rule-kinds.ts';
import type { SlowExpression } from './rule-state.ts';

/** What the rules would do to the feed, or why that could not be determined. */
export type TrialResult =
  | { readonly kind: 'tried'; readonly trial: RuleTrial }
  | { readonly kind: 'failed'; readonly message: string };

export interface Suggestions {
  /** Categories of the feed that are neither mapped nor on the site. */
  readonly categories: readonly NameCount[];
  readonly onSite: readonly string[];
  readonly venues: readonly { readonly name: string; readonly like: string; readonly count: number }[];
  /** Venues whose name is followed by an address. */
  readonly inOneLine: readonly string[];
}

export interface Workbench {
  readonly name: string;
  readonly rules: RawMap;
  readonly at: RuleEntry | undefined;
  readonly isShownWhole: boolean;
  readonly edit: Edit;
  readonly slow: readonly SlowExpression[];
  readonly tried: TrialResult;
  /** When the feed was read that the rules are tried on. */
  readonly readAt: Html | undefined;
  readonly suggestions: Suggestions;
  /** How many of the source's events are on the site. */
  readonly kept: number;
  readonly message: Html | undefined;
}

/** The page with the rules of a source and their effect on its feed. */
export function rulesPage(asked: Asked, bench: Workbench): Page {
  const { name, edit, slow, readAt } = bench;
  const path = sourcePath(name);
  const isChanged = edit.kind === 'edit' && edit.text !== edit.before;
  const isSound = edit.kind === 'edit' && edit.checked.value !== undefined && slow.length === 0;
  const acts = html`${isChanged && state('held', { word: 'changes not saved' })}${
    isChanged && isSound && edit.readOnly === undefined && button('save', 'Save', { kind: 'go' })
  }`;
  return {
    title: `Rules of ${name}`,
    place: 'sources',
    live: awaitedParts(edit, edit.kind === 'edit' ? edit.readOnly : undefined, ['sources', name]),
    main: html`${crumbs(asked, [
      ['/sources/', 'Sources'],
      [path, name],
    ])}${sourceTabs(asked, name, 'rules', { events: bench.kept, problems: 0 })}${bench.message}${form(
      asked,
      html`<input type="hidden" name="rules" value="${JSON.stringify(bench.rules)}" /><input
          type="hidden"
          name="path"
          value="${bench.at ? pathKey(bench.at.path) : ''}"
        /><button class="vh" name="do" value="try" tabindex="-1" aria-hidden="true">Try</button>${head(
          `Rules of ${name}`,
          html`Tried at once on the feed${readAt && html` as it was read ${readAt}`}. Nothing is written until you save.`,
          acts,
        )}
        <div class="half">${left(asked, bench)}${right(asked, bench)}</div>`,
      { path: sourcePath(name, 'rules'), kind: 'stack-4' },
    )}`,
  };
}

const at = (asked: Asked, { name }: Workbench, query: Readonly<Record<string, string>>): string =>
  `${linkTo(asked, sourcePath(name, 'rules'))}?${new URLSearchParams(query).toString()}`;

const touchOf = ({ tried }: Workbench, path: RulePath): RuleTouch | undefined =>
  tried.kind === 'tried' ? tried.trial.rules.find((touch) => pathKey(touch.path) === pathKey(path)) : undefined;

function left(asked: Asked, bench: Workbench): Html {
  const rules = rulesIn(bench.rules);
  const { tried } = bench;
  return html`<section aria-labelledby="rules" class="stack">
    <h2 id="rules">
      In this order
      ${
        tried.kind === 'tried' &&
        html`<small
          >${tried.trial.through} of ${countInWords(tried.trial.events, 'event')}
          ${tried.trial.through === 1 ? 'comes' : 'come'} through</small
        >`
      }
    </h2>
    ${
      rules.length === 0 && html`<p class="dim">No rule yet: every event of the feed is on the site as it is.</p>`
    }${rules.map((rule, index) => ruleRow(asked, bench, rule, index + 1))}${bench.at && editing(bench.at, rules)}
    <details class="well-box" ${rules.length === 0 && html` open`}>
      <summary><b>Add a rule</b></summary>
      ${SHELVES.map(
        ([title, keys]) =>
          html`<h3 class="small dim">${title}</h3>
            <div class="row">${kindsAt(keys).map((kind) => addButton(asked, bench, kind))}</div>`,
      )}
    </details>
  </section>`;
}

const addButton = (asked: Asked, bench: Workbench, kind: RuleKind): Html =>
  html`<button class="bare" name="do" value="new" formaction="${at(asked, bench, { kind: kind.at.join('.') })}">
    ${kind.adds}
  </button>`;

const kindsAt = (keys: readonly string[]): typeof KINDS =>
  KINDS.filter(({ at: [key] }) => keys.includes(key)).toSorted(
    (one, other) => keys.indexOf(one.at[0]) - keys.indexOf(other.at[0]),
  );

function ruleRow(asked: Asked, bench: Workbench, rule: RuleEntry, number: number): Html {
  const touch = touchOf(bench, rule.path);
  const isChosen = bench.at !== undefined && pathKey(bench.at.path) === pathKey(rule.path);
  const slow = bench.slow.filter(({ path }) => pathKey(path) === pathKey(rule.path));
  return html`<button
    class="rule"
    name="do"
    value="pick"
    formaction="${at(asked, bench, { at: pathKey(rule.path) })}"
    ${isChosen && html` aria-current="true"`}
  >
    <span class="num dim">${number}</span
    ><span
      ><span class="say">${rule.kind.sentence(rule)}</span>${slow.map(
        (each) =>
          html`<span class="small failing row"
            >${sign('failing')} too slow: ${each.expression.slice(each.from, each.to)}</span
          >`,
      )}${
        touch?.count === 0 && html`<span class="small stale row">${sign('stale')} touches nothing in this feed</span>`
      }</span
    ><span class="num small">${touch && `${touch.leavesOut && touch.count > 0 ? '−' : ''}${touch.count}`}</span>
  </button>`;
}

function editing(rule: RuleEntry, all: readonly RuleEntry[]): Html {
  const number = all.findIndex(({ path }) => pathKey(path) === pathKey(rule.path)) + 1;
  const isList = rule.kind.holds === 'list' && all.filter(({ kind }) => kind === rule.kind).length > 1;
  return html`<div class="box stack">
    <h3>Rule ${number}</h3>
    ${ruleFields(rule)}
    <div class="row">
      ${button('try', 'Try')}${isList && button('up', 'Up', { kind: 'bare' })}${
        isList && button('down', 'Down', { kind: 'bare' })
      }${button('drop', 'Remove', { kind: 'bare danger' })}
    </div>
  </div>`;
}

function right(asked: Asked, bench: Workbench): Html {
  const { edit, slow, tried } = bench;
  return html`<section aria-label="What they do" class="stack-4">
    ${slow.map(slowNote)}${
      tried.kind === 'failed'
        ? banner('warn', html`<p>${tried.message}</p>`, true)
        : html`${touched(asked, bench, tried.trial)}${joinedNote(tried.trial)}`
    }${suggested(asked, bench)}
    <div>
      <h3>What saving writes into the file</h3>
      ${written(edit, bench.name)}
    </div>
    ${edit.kind === 'edit' && edit.checked.value && slow.length === 0 && onSite()}
  </section>`;
}

/** The button that compares the page's rules with the site; nothing is written. */
const onSite = (): Html =>
  html`<div class="stack">
    <h3>What that changes on the site</h3>
    <p>${button('plan', 'Show what would change')}</p>
  </div>`;

const slowNote = ({ expression, from, to }: SlowExpression): Html =>
  banner(
    'bad',
    html`<p><b>This expression cannot be used:</b> on some texts it would take practically for ever.</p>
      <pre class="code" tabindex="0" role="region" aria-label="The expression">
${expression.slice(0, from)}<mark>${expression.slice(from, to)}</mark>${expression.slice(to)}</pre>
      <p>
        From character ${from + 1} on, something that repeats is itself repeated. Take one of the two signs out:
        <code>(a+)+</code> finds the same as <code>a+</code>.
      </p>`,
    true,
  );

function touched(asked: Asked, bench: Workbench, trial: RuleTrial): Html {
  const rules = rulesIn(bench.rules);
  const rule = bench.at;
  const touch = rule && touchOf(bench, rule.path);
  const none =
    trial.untouched === 0
      ? 'every event is touched by a rule'
      : `no rule touches ${countInWords(trial.untouched, 'event', 'events')}`;
  if (!rule || !touch)
    return html`<h2>What the rules do <small>${rules.length > 0 && none}</small></h2>
      <p>Choose a rule to see its events before and after.</p>`;
  const number = rules.findIndex(({ path }) => pathKey(path) === pathKey(rule.path)) + 1;
  const more = touch.count - touch.first.length;
  return html`<h2>
      Rule ${number} ${touch.leavesOut ? 'leaves out' : 'touches'} ${countInWords(touch.count, 'event')}
      <small>${none}</small>
    </h2>
    ${touch.first.length > 0 && touchedTable(touch)}${
      more > 0 &&
      (bench.isShownWhole
        ? html`<p class="small dim">and ${more} more</p>`
        : html`<p>
            <button
              class="bare"
              name="do"
              value="pick"
              formaction="${at(asked, bench, { at: pathKey(rule.path), all: '1' })}"
            >
              All ${touch.count}
            </button>
          </p>`)
    }`;
}

const JOINED_MAX = 5;
const ADDRESSES_MAX = 3;

/** A warning that rules merge several venues into one. */
function joinedNote({ joined }: RuleTrial): Html | false {
  const more = joined.length - JOINED_MAX;
  return (
    joined.length > 0 &&
    banner(
      'warn',
      html`<p><b>Different places would become one.</b> The site has one venue, with one address, for each name.</p>
        <ul>
          ${joined
            .slice(0, JOINED_MAX)
            .map(
              ({ name, venues, addresses }) =>
                html`<li>
                  <b>${name}</b> would stand for ${venues} venues of the feed:
                  ${addresses.slice(0, ADDRESSES_MAX).join('; ')}${
                    addresses.length > ADDRESSES_MAX && ` and ${addresses.length - ADDRESSES_MAX} more`
                  }
                </li>`,
            )}${more > 0 && html`<li>and ${countInWords(more, 'more', 'more')}</li>`}
        </ul>
        <p>Leave in the name what tells them apart, such as a hall or a room.</p>`,
      true,
    )
  );
}

const COLUMNS = ['Event', 'In the feed', 'After the rule'];

const touchedTable = ({ first, leavesOut }: RuleTouch): Html =>
  table(
    'Before and after',
    COLUMNS,
    first.map((event) => touchedRow(event, leavesOut)),
  );

function touchedRow({ title, start, changes }: TouchedEvent, leavesOut: boolean): Html {
  const named = (field: string): Html | false => changes.length > 1 && html`<span class="small dim">${field}</span> `;
  const side = (of: 'before' | 'after'): readonly Html[] =>
    changes.map((change) => html`<div>${named(change.field)}${sideOf(change, of)}</div>`);
  const before = leavesOut ? html`<del>${title}</del>` : side('before');
  const after = leavesOut ? html`<span class="dim">left out</span>` : side('after');
  return row(COLUMNS, [`${isolated(title)}, ${wallInWords(start)}`, before, after]);
}

/** In lists of names, only added and removed ones are marked. */
function sideOf({ field, before, after }: TouchedEvent['changes'][number], of: 'before' | 'after'): Html {
  const [own, other] = of === 'before' ? [before, after] : [after, before];
  const mark = (text: string): Html => (of === 'before' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`);
  if (own === '') return html`<span class="dim">nothing</span>`;
  if (field !== 'categories' && field !== 'tags') return mark(own);
  const others = other.split(', ');
  return html`${own
    .split(', ')
    .map((name, index) => html`${index > 0 && ', '}${others.includes(name) ? name : mark(name)}`)}`;
}

const SUGGESTED_MAX = 10;

function suggested(asked: Asked, bench: Workbench): Html | false {
  const { categories, onSite, venues, inOneLine } = bench.suggestions;
  if (categories.length + venues.length + inOneLine.length === 0) return false;
  const more = Math.max(0, categories.length - SUGGESTED_MAX) + Math.max(0, venues.length - SUGGESTED_MAX);
  return html`<div class="well-box stack">
    <h3>Suggestions from this feed</h3>
    <ul class="rows tight">
      ${categories.slice(0, SUGGESTED_MAX).map(
        ({ name, count }, index) =>
          html`<li class="row between">
            <span>Category <b>${name}</b> ×${count} is not on the site</span
            ><span class="row"
              ><label class="vh" for="suggest${index}">${name} is</label
              ><input type="hidden" name="from" value="${name}" /><select
                class="find"
                id="suggest${index}"
                name="mapped"
              >
                <option value="">choose…</option>
                ${onSite.map((each) => html`<option>${each}</option>`)}
              </select></span
            >
          </li>`,
      )}${inOneLine.length > 0 && parting(inOneLine)}${venues.slice(0, SUGGESTED_MAX).map(
        ({ name, like, count }) =>
          html`<li class="row between">
            <span>Venue <b>${name}</b> ×${count} is like <b>${like}</b></span
            ><button name="do" value="alias" formaction="${at(asked, bench, { from: name, to: like })}">Same</button>
          </li>`,
      )}${more > 0 && html`<li class="small dim">and ${more} more</li>`}
    </ul>
    ${categories.length > 0 && button('map', 'Take the chosen categories')}
  </div>`;
}

function parting([first, ...others]: readonly string[]): Html {
  const more = others.length > 0 && html` and ${countInWords(others.length, 'other venue')}`;
  return html`<li class="row between">
    <span>Name and address are one text in <b>${first}</b>${more}</span>${button('part', 'Split them')}
  </li>`;
}

function written(edit: Edit, name: string): Html {
  if (edit.kind === 'byHand') return banner('bad', html`<p>${edit.because}</p>`);
  if (edit.text === edit.before) return html`<p class="dim">Nothing: the rules are as in the file.</p>`;
  return html`${problemList(edit.checked.problems, edit.remarks)}${yamlDifference(edit.before, edit.text)}${
    edit.readOnly !== undefined && edit.checked.value && manualChangeNote(edit, edit.readOnly, ['sources', name])
  }`;
}
