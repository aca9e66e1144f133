import { countInWords } from '../../count-in-words.ts';
import { html, type Html } from '../../html/template.ts';
import { findRun, type RunRecord } from '../../run/state/records.ts';
import { feedsSideBySide, type BothFeeds } from '../../run/steps/review-held.ts';
import { cutLine, type Line } from '../../sync/review/feed-difference.ts';
import type { FeedRow } from '../../sync/review/feed-rows.ts';
import type { Answer, Asked } from '../frame/operator.ts';
import { marked, MARKS } from '../frame/marked.ts';
import { head, linkTo, pageNumber } from '../frame/parts.ts';
import { table } from '../frame/table.ts';
import { feedsPath, runPath } from '../sources/paths.ts';
import { crumbsOfPlan, formerFeedNote } from './run-words.ts';

/** How many lines are on a page. */
const ROWS_MAX = 200;

/** `/runs/:run/feeds/`: the feed of a held run beside the one read before it. */
export async function feedsPage(asked: Asked): Promise<Answer> {
  const query = asked.operator.context.database.query();
  const run = await findRun(query, asked.params['run'] ?? '');
  if (!run) return { to: runPath(asked.params['run'] ?? '') };
  const both = await feedsSideBySide(query, run);
  const title = `Both feeds of ${run.source}, side by side`;
  return {
    title,
    place: 'todo',
    main: html`${crumbsOfPlan(asked, run)}${both ? sides(asked, title, run, both) : head(title, NOT_KEPT)}`,
  };
}

const NOT_KEPT = 'They are kept only while the plan waits for a decision, and where the feed was read well before.';
const TOO_LONG = 'They are too long to be compared line by line.';

function sides(asked: Asked, title: string, { run, site }: RunRecord, { rows, formerAt }: BothFeeds): Html {
  if (rows === 'too long') return head(title, TOO_LONG);
  const differing = rows.filter(({ kind }) => kind !== 'same' && kind !== 'left-out').length;
  const pages = Math.max(1, Math.ceil(rows.length / ROWS_MAX));
  const page = Math.min(pageNumber(asked.url.searchParams.get('page')), pages);
  const link = (to: number, text: string): Html =>
    html`<a class="btn" href="${linkTo(asked, `${feedsPath(run)}?page=${to}`)}">${text}</a>`;
  return html`${head(
    title,
    html`${differingInWords(differing)}. Timestamps, which programs write again each time, are ignored.
    ${formerAt !== undefined && formerFeedNote(formerAt, asked.zoneOf(site), asked.now)}`,
  )}
  ${table(
    title,
    ['What the feed said before', 'What it says now'],
    rows.slice((page - 1) * ROWS_MAX, page * ROWS_MAX).map(rowOf),
    'sides',
  )}
  ${
    pages > 1 &&
    html`<nav class="row" aria-label="Pages">
      ${page > 1 && link(page - 1, '‹ Before')}<span class="dim">page ${page} of ${pages}</span>${
        page < pages && link(page + 1, 'More ›')
      }
    </nav>`
  }`;
}

function differingInWords(lines: number): string {
  if (lines === 0) return 'No line differs';
  return `${countInWords(lines, 'line')} ${lines === 1 ? 'differs' : 'differ'}`;
}

function rowOf(row: FeedRow): Html {
  if (row.kind === 'left-out')
    return html`<tr role="row">
      <td role="cell" colspan="2"><div class="dim">${countInWords(row.count, 'line')} the same in both</div></td>
    </tr>`;
  const { kind, before, after } = row;
  const texts = cutLine({ line: 0, before: before?.text ?? null, after: after?.text ?? null });
  const side = (text: string | null, own: 'gone' | 'come'): Html =>
    kind === 'changed'
      ? marked(texts.before ?? '', texts.after ?? '', { kinds: ['same', own], isCode: true })
      : MARKS[kind === own ? own : 'same'](text ?? '');
  return html`<tr role="row" ${kind !== 'same' && html` data-row tabindex="-1"`}>
    ${cell('Before', before, side(texts.before, 'gone'), kind === 'same')}${cell('Now', after, side(texts.after, 'come'))}
  </tr>`;
}

/** `isTwice`: the other side has the same text, so narrow screens hide this one. */
const cell = (label: string, line: Line | null, shown: Html, isTwice = false): Html =>
  line === null
    ? html`<td role="cell"></td>`
    : html`<td role="cell" data-l="${label}" ${isTwice && html` class="twice"`}>
        <div><span class="ln dim">${line.number}</span>${shown}</div>
      </td>`;
