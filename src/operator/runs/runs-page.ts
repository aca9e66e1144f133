import { html, type Html } from '../../html/template.ts';
import { actsOfRuns, type Act } from '../../run/watch/acts.ts';
import {
  COUNTED_MAX,
  countRuns,
  RUN_FILTERS,
  runsOf,
  type RunCounts,
  type RunFilter,
} from '../../run/watch/run-list.ts';
import type { RunRecord } from '../../run/state/records.ts';
import { chips, head, linkTo } from '../frame/parts.ts';
import { icon, sign } from '../frame/sprite.ts';
import { moment } from '../frame/times.ts';
import type { Asked, Page } from '../frame/operator.ts';
import { row, table } from '../frame/table.ts';
import { runsPath, sourcePath } from '../sources/paths.ts';
import { runDuration, runResult, runCause } from './run-words.ts';

const PAGE = 50;

const FILTERS: Readonly<Record<RunFilter, { readonly words: string; readonly mark?: Html }>> = {
  changes: { words: 'with changes' },
  held: { words: 'held', mark: sign('held') },
  failed: { words: 'failed', mark: sign('failing') },
  people: { words: 'by people', mark: icon('person') },
  undo: { words: 'taken back', mark: icon('undo') },
  all: { words: 'all' },
};

const filterIn = (text: string | undefined): RunFilter => RUN_FILTERS.find((filter) => filter === text) ?? 'changes';

/** What the page's address asks for. */
interface Wanted {
  readonly source: string | undefined;
  readonly filter: RunFilter;
  readonly before: string | undefined;
}

function wantedOf({ searchParams }: URL): Wanted {
  const text = (name: string): string | undefined => searchParams.get(name) || undefined;
  return { source: text('source'), filter: filterIn(text('show')), before: text('before') };
}

/** The address of the page with these choices. */
function addressOf(asked: Asked, { source, filter, before }: Wanted): string {
  const params = Object.entries({ source, show: filter, before }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return linkTo(asked, `${runsPath()}?${new URLSearchParams(params).toString()}`);
}

/** The history of runs: what was done, why, and by whom. */
export async function runsPage(asked: Asked): Promise<Page> {
  const query = asked.operator.context.database.query();
  const wanted = wantedOf(asked.url);
  const { source, filter } = wanted;
  const [found, counts] = await Promise.all([runsOf(query, { ...wanted, limit: PAGE + 1 }), countRuns(query, source)]);
  const runs = found.slice(0, PAGE);
  const acts = await actsOfRuns(
    query,
    runs.map(({ run }) => run),
  );
  const choices = RUN_FILTERS.map((each) => ({
    href: addressOf(asked, { source, filter: each, before: undefined }),
    text: html`${FILTERS[each].mark}${FILTERS[each].words}`,
    count: counts[each],
    isChosen: each === filter,
  }));
  const main = html`${heading(asked, source, counts)}${chips('Filter the runs', choices)}${
    runs.length === 0
      ? html`<p>${counts.all === 0 ? 'Nothing has run yet.' : 'No such run.'}</p>`
      : runsTable(asked, runs, acts)
  }${pages(asked, wanted, found.length > PAGE ? runs.at(-1)?.run : undefined)}`;
  const title = `${source === undefined ? 'Runs' : `Runs of ${source}`}: ${FILTERS[filter].words}`;
  return { title, place: 'runs', main, live: ['page'] };
}

function heading(asked: Asked, source: string | undefined, { all, nothing }: RunCounts): Html {
  const lately = all === COUNTED_MAX ? `the last ${all}` : `${all}`;
  return head(
    source === undefined ? 'Runs' : html`Runs of <a href="${linkTo(asked, sourcePath(source))}">${source}</a>`,
    html`What was done, why, and by whom.${all > 0 && ` ${nothing} of ${lately} had nothing to change.`}`,
    html`<label class="vh" for="rf">Find in the runs below</label
      ><input class="find" id="rf" type="search" data-filter=".t tbody tr" placeholder="Source, word, day" />`,
  );
}

/** Links to newer and older runs; `more` is the last run on this page if there are older ones. */
function pages(asked: Asked, wanted: Wanted, more: string | undefined): Html {
  const { source, before } = wanted;
  return html`<p class="row">
    ${
      before !== undefined &&
      html`<a class="btn" href="${addressOf(asked, { ...wanted, before: undefined })}">‹ The latest</a>`
    }${
      more !== undefined &&
      html`<a class="btn" href="${addressOf(asked, { ...wanted, before: more })}">Older ones ›</a>`
    }${source !== undefined && html`<a class="btn bare" href="${linkTo(asked, runsPath())}">Runs of all sources</a>`}
  </p>`;
}

function runsTable(asked: Asked, runs: readonly RunRecord[], acts: ReadonlyMap<string, readonly Act[]>): Html {
  const columns = ['When', 'Source', 'Result', 'Why it ran', 'Took'];
  const rows = runs.map((run) =>
    row(columns, [
      moment(run.startedAt.getTime(), asked.zoneOf(run.site), asked.now),
      html`<a data-row href="${linkTo(asked, sourcePath(run.source))}">${run.source}</a>`,
      runResult(asked, run),
      runCause(run.cause, acts.get(run.run) ?? []),
      html`<span class="num">${runDuration(run, asked.now)}</span>`,
    ]),
  );
  return table('Runs, the latest first', columns, rows);
}
