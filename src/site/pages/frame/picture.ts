import type { Image } from '../../../contract/event-parts.ts';
import { safeElement } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import { smallerSizes } from '../../store/image-sizes.ts';
import { categoryColour, type Category } from '../../../look/category-mark.ts';
import type { Frame } from './layout.ts';

/** An event's image as shown on pages. */
export type Picture = Pick<Image, 'url' | 'width' | 'height'>;

type Place = 'head' | 'card' | 'line' | 'small';

/** How an image is shown in a place. `sizes` gives its width, if there are several files to choose from. */
type Standing = Readonly<Record<string, string | number>> & { readonly sizes?: string };

const PLACES: Readonly<Record<Place, Standing>> = {
  head: { class: 'hd', sizes: '(min-width: 78rem) 50rem, (min-width: 62rem) calc(100vw - 28rem), 100vw' },
  card: { width: 480, height: 300, sizes: '(min-width: 62rem) 17rem, (min-width: 34rem) 44vw, 15rem', loading: 'lazy' },
  line: { class: 'th', width: 112, height: 76, loading: 'lazy' },
  small: { width: 72, height: 72, loading: 'lazy' },
};

/** Renders an image with its space reserved, in the widths that the site has. Undefined for an invalid address. */
export function picture(
  { hasSizes, settings }: Pick<Frame, 'hasSizes' | 'settings'>,
  { url, width, height }: Picture,
  place: Place,
): Html | undefined {
  const { sizes, ...attributes } = PLACES[place];
  const all = hasSizes ? smallerSizes(settings.publicUrl, { url, width, height }) : [];
  const smaller = sizes === undefined ? all.slice(0, 1) : all;
  const [src] = smaller.at(-1) ?? [url];
  const sources = smaller.map(([each, wide]) => `${each} ${wide}w`);
  return safeElement('img', {
    src,
    alt: '',
    ...(place === 'head' && width && height ? { width, height } : {}),
    ...attributes,
    ...(sources.length > 1 ? { srcset: sources.join(', '), sizes } : {}),
  });
}

/** The pattern shown instead of an image, in the category's colour; always the same for an event. */
export const pattern = (slug: string, category: Category | undefined, place: 'head' | 'card'): Html => {
  const [form, colour] = [categoryColour(slug), category ? categoryColour(category.slug) : 'c0'];
  const isStriped = Number(form.slice(1)) % 2 === 0;
  return html`<div class="art${place === 'head' && ' hd'}${isStriped ? ' a3' : ' a1'} ${colour}"></div>`;
};
