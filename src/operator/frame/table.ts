import { html, type Html, type HtmlPart } from '../../html/template.ts';

/** The name of a column; `unseen` hides it where the cells speak for themselves. */
export type Column = string | { readonly unseen: string };

const nameOf = (column: Column | undefined): string => (typeof column === 'object' ? column.unseen : (column ?? ''));

/** A table whose rows are made by `row`, or by its page if their shape differs. `kind` adds a class. */
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
 * A row: its heading, then its other cells. On a phone it is displayed as a block, which would lose its role, and each
 * cell shows its column. `attributes` are those of the row, each after a space.
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
