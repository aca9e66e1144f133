import { readableSlug } from '../../../ascii.ts';
import { html } from '../../../html/template.ts';
import { categoryTag } from '../../../look/category-mark.ts';
import { CHIPS_MAX, type Offer, type Pen, type Picking } from '../../../look/picker.ts';
import { LISTS, type ListName } from '../../../selection/selection.ts';
import { isOfState } from '../event/event-state.ts';
import type { Facet, Facets } from '../../store/coming-facets.ts';
import { localeOf } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { numberInWords, plainName } from './in-words.ts';

/** The texts and locale of the site's pickers. */
export const penOf = ({ look, language }: Frame): Pen => ({ words: look.words, locale: localeOf(language) });

/** The options of a picker: what upcoming events have of a kind. */
export function pickingOf(
  frame: Frame,
  kind: ListName,
  { [kind]: facets, isWhole }: Facets,
  chosen: readonly string[],
): Omit<Picking, 'chips'> {
  const offerOf = (facet: Facet): Offer => ({
    value: facet.slug,
    name: plainName(facet.name),
    shown: kind === 'categories' ? categoryTag(frame.mark, facet) : undefined,
    count: isWhole && facet.count > 0 ? numberInWords(frame, facet.count) : '',
  });
  return {
    kind,
    param: LISTS[kind],
    offers: facets.filter(({ slug }) => kind !== 'tags' || !isOfState(slug)).map(offerOf),
    // If the events of the next days have few, later ones hardly have others.
    left: isWhole || facets.length <= CHIPS_MAX ? 0 : undefined,
    chosen: chosen.map((slug) => offerOf(facets.find((facet) => facet.slug === slug) ?? unknown(slug))),
  };
}

const unknown = (slug: string): Facet => ({ slug, name: html`${readableSlug(slug)}`.markup, count: 0 });
