import { messageHtml } from '../sources/message-html.ts';
import { undoneList } from '../sources/undone-list.ts';
import { AppError } from '../../error.ts';
import { html, type Html } from '../../html/template.ts';
import { inFieldOrder } from '../../sync/model/fields.ts';
import { previewUndo } from '../../run/decisions/undo-run.ts';
import type { SourceSetup } from '../../run/state/context.ts';
import { valuesBefore } from '../../sync/model/values-before.ts';
import type { Action, EventAction, Json } from '../../sync/model/plan.ts';
import { namedValue, knownNames } from '../../run/events/linked-names.ts';
import type { Asked } from '../frame/operator.ts';
import { banner, button, form, linkTo } from '../frame/parts.ts';
import { markedValue } from './field-words.ts';
import { FIELD_LABELS } from '../frame/field-labels.ts';

/**
 * What undoing a run would do to an event, with the button for it; false unless the address asks for it. `isAllDay`:
 * whether the event has days instead of times now.
 */
export async function undoNote(
  asked: Asked,
  setup: SourceSetup,
  { slug, path, isAllDay }: { readonly slug: string; readonly path: string; readonly isAllDay: boolean },
): Promise<Html | false> {
  const run = asked.url.searchParams.get('undo');
  if (run === null) return false;
  const back = html`<a class="btn bare" href="${linkTo(asked, path)}">Leave it as it is</a>`;
  try {
    const { actions, problems } = await previewUndo(asked.operator.context, setup, run, slug);
    const before = await undoneList(asked, { run, site: setup.site.key, source: setup.name });
    const notes = problems.map(({ code, message }) =>
      code === 'nothing-to-undo' && before ? before : html`<p>${messageHtml(asked, message, setup.site.key)}</p>`,
    );
    const own = actions.filter(isEvent);
    if (own.length === 0)
      return banner(
        'info',
        html`<p><b>There is nothing to take back.</b></p>
          ${notes}
          <div class="row">${back}</div>`,
        true,
      );
    const made = actions.length - own.length;
    const send = form(
      asked,
      html`<input type="hidden" name="run" value="${run}" />
        <div class="row">${button('undo', 'Yes, take it back', { kind: 'go' })}${back}</div>`,
      { path },
    );
    return banner(
      'info',
      html`<p>
          <b>Take it back?</b> This is what it would do now. What it puts back counts as edited here, so the feed does
          not change it again by itself.
        </p>
        ${own.map((action) => actionInWords(action, isAllDay))}${
          made > 0 && html`<p class="small">Categories or places that are gone are made again: ${made}.</p>`
        }${notes}${send}`,
      true,
    );
  } catch (error) {
    if (error instanceof AppError)
      return banner(
        'warn',
        html`<p>${messageHtml(asked, error.message, setup.site.key)}</p>
          <div class="row">${back}</div>`,
        true,
      );
    throw error;
  }
}

const isEvent = (action: Action): action is EventAction => action.resource === 'events';

function actionInWords(action: EventAction, now: boolean): Html {
  if (action.kind === 'remove') return html`<p>The event goes to the trash of the site.</p>`;
  const names = knownNames(undefined);
  const before = valuesBefore(action);
  const values = inFieldOrder(action.kind === 'create' ? action.fields : changedIn(action.changes));
  const { from, to: after } = action.kind === 'update' ? (action.changes['all_day'] ?? {}) : {};
  const allDay = { was: (from ?? now) === true, is: (after ?? action.fields['all_day'] ?? now) === true };
  const shown = values.filter(([field]) => Object.hasOwn(FIELD_LABELS, field));
  return html`${action.kind === 'create' && html`<p>The event is made again.</p>`}
    <dl class="kv">
      ${shown.map(
        ([field, to]) =>
          html`<dt>${FIELD_LABELS[field as keyof typeof FIELD_LABELS]}</dt>
            <dd>
              ${markedValue(field, namedValue(names, field, before[field]), namedValue(names, field, to), allDay)}
            </dd>`,
      )}
    </dl>`;
}

const changedIn = (changes: Readonly<Record<string, { readonly to: Json }>>): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(changes).map(([field, { to }]) => [field, to]));
