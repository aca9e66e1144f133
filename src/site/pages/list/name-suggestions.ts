import { foldedWords } from '../../../ascii.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { LIST_MAX, LIST_NAMES, type ListName } from '../../../selection/selection.ts';
import type { Facets } from '../../store/coming-facets.ts';
import { searchWords } from '../../store/search.ts';
import type { NamedLike } from '../../store/named-like.ts';
import type { Frame } from '../frame/layout.ts';
import { chosenLink } from './chosen-chips.ts';
import type { Finder } from './finder.ts';
import { numberInWords, plainName } from './in-words.ts';
import { pathOfQuestion, withOne, type Question } from './question.ts';

interface Called extends NamedLike {
  readonly kind: ListName;
}

const SHOWN_MAX = 4;
/** Shorter words are part of too many names. */
const LENGTH_MIN = 3;

/**
 * Offers places, organizers, categories and tags whose names match the search, as filters instead of it: a search only
 * finds events' own texts, and few of them say where they are.
 */
export async function nameSuggestions(
  frame: Frame,
  find: Finder,
  question: Question,
  { facets, total }: { readonly facets: Facets; readonly total: number },
): Promise<Html | false> {
  const { search } = question;
  const isName = searchWords(search).every(({ wanted }) => wanted) && foldedWords(search).length >= LENGTH_MIN;
  if (question.page > 1 || !isName) return false;
  // If nothing is found, it may be a name that none of the next events has.
  const named = total === 0 ? await inStore(find, search) : inFacets(facets, search);
  const unchosen = named.filter(({ kind, slug }) => !question[kind].includes(slug) && question[kind].length < LIST_MAX);
  const counted = await Promise.all(
    unchosen.slice(0, SHOWN_MAX).map(async (called) => {
      const to = withOne({ ...question, search: '' }, called.kind, called.slug);
      return { ...called, to, count: await find.count(to) };
    }),
  );
  const links = counted
    .filter(({ count }) => count > 0)
    // A theatre may be both a place and an organizer.
    .map(({ kind, to, name, count }) =>
      chosenLink({ class: 'chip', href: frame.base + pathOfQuestion(to) }, [
        html`${frame.look.words.picking[kind].label}: ${sanitized(name)} <small>${numberInWords(frame, count)}</small>`,
      ]),
    );
  const label = frame.words.finding.calledSo(search);
  return (
    links.length > 0 &&
    html`<nav class="line" aria-label="${label}"><span>${label}</span> ${joinHtml(links, ' ')}</nav>`
  );
}

const inStore = async (find: Finder, search: string): Promise<readonly Called[]> =>
  (
    await Promise.all(
      LIST_NAMES.map(async (kind) =>
        (await find.named(kind, search, SHOWN_MAX)).map((named): Called => ({ ...named, kind })),
      ),
    )
  ).flat();

function inFacets(facets: Facets, search: string): readonly Called[] {
  const words = foldedWords(search).split(' ');
  return LIST_NAMES.flatMap((kind) =>
    facets[kind]
      .filter(({ name }) => {
        const folded = foldedWords(plainName(name));
        return words.every((word) => folded.includes(word));
      })
      .map(({ slug, name }): Called => ({ kind, slug, name })),
  );
}
