import type { CategoryPage } from '../../contract/representation.ts';
import { html, type Html } from '../../html/template.ts';
import { textFromHtml } from '../../html/text.ts';
import { callInterface, type AskedEdit } from './editor.ts';
import type { EventValues } from './event-values.ts';
import type { StoredEvent } from './stored-event.ts';
import type { EditWords } from './words/edit-words.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** The categories offered by a form: the most used ones, the others, and how many are left out. */
export interface Categories {
  readonly most: readonly Named[];
  readonly rest: readonly Named[];
  readonly leftOut: number;
}

const SHOWN_AT_ONCE = 50;
const CHOSEN_FROM_MAX = 500;

/** Reads the categories that can be chosen, including those of the event. */
export async function categoriesToChoose(
  asked: AskedEdit,
  { stored, values }: { readonly stored?: StoredEvent | undefined; readonly values: EventValues },
): Promise<Categories> {
  const told = await callInterface<CategoryPage>(
    asked,
    'GET',
    `/categories?per_page=${CHOSEN_FROM_MAX}&hide_empty=0&orderby=count&order=desc`,
    undefined,
    { atOnce: { writes: 1, items: CHOSEN_FROM_MAX } },
  );
  const found = told.ok ? told.value.categories : [];
  // The event's own categories may not be among the most used.
  const own = (stored?.event.categories ?? []).filter(({ id }) => !found.some((one) => one.id === id));
  const all = [...found, ...own].map(({ id, name }) => ({ id, name: textFromHtml(name) }));
  const isFirst = ({ id }: Named, index: number): boolean =>
    index < SHOWN_AT_ONCE || values.categories.includes(String(id));
  return {
    most: all.filter(isFirst),
    rest: all.filter((one, index) => !isFirst(one, index)),
    leftOut: told.ok ? told.value.total - found.length : 0,
  };
}

/** The field for choosing categories; nothing if there are none. */
export function categoryFields(words: EditWords, values: EventValues, categories: Categories): Html | false {
  const { most, rest, leftOut } = categories;
  const box = ({ id, name }: Named): Html =>
    html`<label class="chip"><input type="checkbox" name="categories" value="${id}"${
      values.categories.includes(String(id)) && html` checked`
    }>${name}</label>`;
  return (
    most.length > 0 &&
    html`<div role="group" aria-labelledby="categories-label"><p class="lab" id="categories-label">${words.fields.categories}</p>
<div class="row">${most.map(box)}</div>
${
  rest.length > 0 &&
  html`<details><summary>${words.moreCategories(rest.length)}</summary>
<div class="row">${rest.map(box)}</div></details>`
}
${leftOut > 0 && html`<p class="dim"><small>${words.categoriesLeftOut(leftOut)}</small></p>`}</div>`
  );
}
