/** The parameters of a link to a page of a list, other than `page`, in order. */
export type LinkParams = readonly (readonly [string, string])[];

export interface PageLinks {
  readonly rest_url: string;
  readonly next_rest_url?: string;
  readonly previous_rest_url?: string;
  readonly total: number;
  readonly total_pages: number;
}

/** The envelope of a page: the full addresses of this, the next and the previous page, and the totals. */
export function collectionLinks(
  collection: string,
  { page, per_page: perPage }: { readonly page: number; readonly per_page: number },
  params: LinkParams,
  total: number,
): PageLinks {
  const pages = Math.ceil(total / perPage);
  const link = (number: number): string => {
    const query = new URLSearchParams([
      ...(number === 1 ? [] : [['page', String(number)]]),
      ['per_page', String(perPage)],
      ...params.map(([name, value]) => [name, value]),
    ]);
    return `${collection}/?${query.toString()}`;
  };
  const here = link(page).replace('/?per_page', '/?page=1&per_page');
  return {
    rest_url: here,
    ...(page < pages && { next_rest_url: link(page + 1) }),
    ...(page > 1 && { previous_rest_url: link(page - 1) }),
    total,
    total_pages: pages,
  };
}

/**
 * A parameter with several values: comma-separated, or repeated as `name[]` if a value contains a comma; empty if it
 * was not given.
 */
export function listParam(name: string, values: readonly (string | number)[] | undefined): LinkParams {
  if (values === undefined || values.length === 0) return [];
  const texts = values.map(String);
  return texts.some((text) => text.includes(','))
    ? texts.map((text) => [`${name}[]`, text] as const)
    : [[name, texts.join(',')]];
}

/** A parameter with one value, left out if it was not given. */
export const param = (name: string, value: string | number | boolean | undefined): LinkParams =>
  value === undefined ? [] : [[name, String(value)]];
