import { html, type Html, type HtmlPart } from '../../html/template.ts';

/** The name of a column; `unseen` where it is plain to the eye what stands there. */
export type Column = string | { readonly unseen: string };

const nameOf = (column: Column | undefined): string => (typeof column === 'object' ? column.unseen : (column ?? ''));

/** A table with rows made by `row`, or by its page where they are of another shape. `kind` is a class of its own. */
export const table = (caption: string, columns: readonly Column[], rows: readonly HtmlPart[], kind?: string): Html =>
  html`<table class="t${kind !== undefined && ` ${kind}`}" role="table">
    <caption class="vh">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(
          (column) =>
            html`<th role="columnheader" scope="col">
              ${typeof column === 'string' ? column : html`<span class="vh">${column.unseen}</span>`}
            </th>`,
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows}
    </tbody>
  </table>`;

/**
 * A row: what it is about, then its other cells. On a phone it is a block, which loses its role, and each cell says its
 * column. `attributes`: of the row, with a blank before each.
 */
export const row = (
  columns: readonly Column[],
  [name, ...cells]: readonly [HtmlPart, ...HtmlPart[]],
  attributes?: Html | false,
): Html =>
  html`<tr role="row" ${attributes}>
    <th role="rowheader" scope="row">${name}</th>
    ${cells.map((cell, index) => html`<td role="cell" data-l="${nameOf(columns[index + 1])}"><div>${cell}</div></td>`)}
  </tr>`;
