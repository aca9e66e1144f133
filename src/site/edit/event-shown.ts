import { html, type Html } from '../../html/template.ts';
import { reviewNoteOf } from '../store/suggestions.ts';
import type { AskedEdit, EditAnswer } from './editor.ts';
import { idIn, notYours } from './event-acts.ts';
import { eventFormPage } from './event-form.ts';
import { saidIn } from './events-page.ts';
import { editNote } from './form-parts.ts';
import { sourcePart } from './imported.ts';
import { repeatForm } from './repeat.ts';
import { mayReview, sendBackForm } from './review.ts';
import { storedEvent, type StoredEvent } from './stored-event.ts';

/** `/edit/event/12/`: the form of an event, and the other actions on it. */
export async function eventShown(asked: AskedEdit): Promise<EditAnswer> {
  const stored = await storedEvent(asked, idIn(asked));
  if (!stored) return notYours(asked);
  return eventFormPage(asked, {
    values: stored.values,
    stored,
    said: saidIn(asked),
    above: await noteAbove(asked, stored),
    below: html`${await sourcePart(asked, stored)}
${stored.row.status === 'pending' && mayReview(asked) && sendBackForm(asked)}
${repeatForm(asked, stored)}`,
  });
}

async function noteAbove({ db, words }: AskedEdit, { row }: StoredEvent): Promise<Html | undefined> {
  const note = row.status === 'draft' ? await reviewNoteOf(db, row.id) : undefined;
  return note === undefined ? undefined : editNote(words.sentBackNote(note), 'bad');
}
