import type { Event } from '../../../contract/representation.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, type Html, type HtmlPart } from '../../../html/template.ts';
import { icon, type Icon } from '../../../look/icons.ts';
import type { Frame } from '../frame/layout.ts';
import type { SHOWN_TEXTS } from '../words/words.ts';
import { priceOf } from './price.ts';

/** A fact with its icon and name, as lines. */
export interface Fact {
  readonly icon: Icon;
  readonly name: string;
  readonly lines: readonly HtmlPart[];
}

/** A card with facts, leaving out unknown ones; undefined if none is left. */
export function factCard(label: string, facts: readonly Fact[]): Html | undefined {
  const told = facts
    .map((fact) => ({ ...fact, lines: fact.lines.map((line) => html`${line}`).filter(({ markup }) => markup !== '') }))
    .filter(({ lines }) => lines.length > 0);
  if (told.length === 0) return undefined;
  const rows = told.map(
    (fact) => html`<div><dt>${icon(fact.icon)}${fact.name}</dt>${fact.lines.map((line) => html`<dd>${line}</dd>`)}</div>
`,
  );
  return html`<section class="card" aria-label="${label}"><dl class="facts">
${rows}</dl></section>`;
}

/** A short text of an event as shown. */
export const shownText = (frame: Frame, event: Event, field: (typeof SHOWN_TEXTS)[number]): Html =>
  field === 'cost' ? priceOf(frame, event) : sanitized(event[field] ?? '');
