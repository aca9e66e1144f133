import type { Image } from '../../../contract/event-parts.ts';
import { safeElement } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import { categoryColour, type Category } from './category-mark.ts';

/** A picture of an event as it stands on pages. */
export type Picture = Pick<Image, 'url' | 'width' | 'height'>;

/** A large picture at the head of a page, with the room that it takes before it is there. */
export const headPicture = ({ url, width, height }: Picture): Html | undefined =>
  safeElement('img', { class: 'hd', src: url, alt: '', ...(width && height ? { width, height } : {}) });

/** The picture of a card. */
export const cardPicture = ({ url }: Picture): Html | undefined =>
  safeElement('img', { src: url, alt: '', width: 480, height: 300, loading: 'lazy' });

/** What stands in place of a picture: a pattern in the colour of the category, always the same for an event. */
export const pattern = (slug: string, category: Category | undefined, place: 'head' | 'card'): Html => {
  const [form, colour] = [categoryColour(slug), category ? categoryColour(category.slug) : 'c0'];
  const isStriped = Number(form.slice(1)) % 2 === 0;
  return html`<div class="art${place === 'head' && ' hd'}${isStriped ? ' a3' : ' a1'} ${colour}"></div>`;
};
