import { html, joinHtml, type Html } from '../../../html/template.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { NAME_MAX, typedNames, withoutNames, type ListName } from '../../../selection/selection.ts';
import type { NamedLike } from '../../store/named-like.ts';
import type { Frame } from '../frame/layout.ts';
import { chosenLink } from './chosen-chips.ts';
import type { Finder } from './finder.ts';
import { shortened } from '../../../html/shortened.ts';

/** A typed name that matches nothing, or several things. */
export interface OpenName {
  readonly kind: ListName;
  readonly text: string;
  readonly alike: readonly NamedLike[];
}

const ALIKE_MAX = 12;

/** Replaces typed names in an address by what they mean, and returns the names that are unknown or ambiguous. */
export async function settledNames(
  find: Finder,
  asked: URLSearchParams,
): Promise<{ readonly query: URLSearchParams; readonly open: readonly OpenName[] }> {
  const names = await Promise.all(
    typedNames(asked).map(async ([kind, text]) => ({
      kind,
      text: shortened(text, NAME_MAX),
      alike: text.length > NAME_MAX ? [] : await find.named(kind, text, ALIKE_MAX + 1),
    })),
  );
  return {
    query: withoutNames(
      asked,
      names.flatMap(({ kind, alike: [only, other] }) => (only && !other ? [[kind, only.slug] as const] : [])),
    ),
    open: names.filter(({ alike }) => alike.length !== 1),
  };
}

/** The possible meanings as links; `hrefOf` returns the address with one more choice. */
export const openNames = (
  { words: { finding } }: Frame,
  open: readonly OpenName[],
  hrefOf: (kind: ListName, slug: string) => string,
): Html | false =>
  open.length > 0 &&
  html`${open.map(({ kind, text, alike }) => {
    const links = alike
      .slice(0, ALIKE_MAX)
      .map(({ slug, name }) => chosenLink({ class: 'chip', href: hrefOf(kind, slug) }, [sanitized(name)]));
    const said = alike.length === 0 ? finding.noName(text) : finding.whichName(text, alike.length > ALIKE_MAX);
    return html`<div class="note stack"><p>${said}</p>
${links.length > 0 && html`<p class="pills">${joinHtml(links, ' ')}</p>`}</div>`;
  })}`;
