import type { Venue } from '../../../contract/event-parts.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, joinHtml, type Html, type HtmlPart } from '../../../html/template.ts';

/** Facts with their names; those that are not there are left out. Undefined where none is left. */
export function factList(facts: readonly (readonly [name: string, fact: HtmlPart])[]): Html | undefined {
  const told = facts
    .map(([name, fact]) => [name, html`${fact}`] as const)
    .filter(([, fact]) => fact.markup !== '')
    .map(([name, fact]) => html`<dt>${name}</dt><dd>${fact}</dd>`);
  return told.length === 0 ? undefined : html`<dl>${joinHtml(told, '\n')}</dl>`;
}

/** Street, town and country. */
export const addressParts = ({ address, zip, city, country }: Venue): readonly Html[] =>
  [address, [zip, city].filter(Boolean).join(' '), country].filter(Boolean).map((part) => sanitized(String(part)));
