import { html, type Html } from '../../html/template.ts';
import type { AskedEdit, EditAnswer } from './editor.ts';
import { idIn, notYours } from './event-acts.ts';
import { eventFormPage } from './event-form.ts';
import { doButton, editForm } from './form-parts.ts';
import { storedEvent, type StoredEvent } from './stored-event.ts';

/**
 * Shows from which source an event comes, what happens to changes, and the possible decisions; nothing for events
 * without a source.
 */
export async function sourcePart(asked: AskedEdit, { row }: StoredEvent): Promise<Html | undefined> {
  const source = await asked.sources.of(row.slug);
  if (!source) return undefined;
  const words = asked.words.source;
  const way = source.isOurs
    ? html`<p>${words.attachAbout}</p><div>${doButton('attach', words.attach)}</div>`
    : html`<p>${words.keeps}</p><p>${words.detachAbout}</p><div>${doButton('detach', words.detach)}</div>`;
  const said = source.isOurs ? words.ours(source.name) : words.from(source.name);
  return editForm(asked, html`<p><strong>${said}</strong></p>${way}`, { kind: 'form card' });
}

/** Detaches an imported event, or attaches it to its source again. */
export const decideSource =
  (act: 'detach' | 'attach') =>
  async (asked: AskedEdit): Promise<EditAnswer> => {
    const stored = await storedEvent(asked, idIn(asked));
    if (!stored) return notYours(asked);
    const { row, values } = stored;
    const done = await asked.sources[act](row.slug, { login: asked.person.login, peer: asked.peer });
    if (done === 'begun') return { to: `/event/${row.id}/?said=${act}ed` };
    const refusal = done === 'busy' ? asked.words.source.busy : undefined;
    return eventFormPage(asked, { values, stored, refusal, status: 409 });
  };
