import { messageHtml } from '../sources/message-html.ts';
import { countInWords } from '../../count-in-words.ts';
import { html, type Html } from '../../html/template.ts';
import { dryRun, type DryRun } from '../../run/steps/dry-run.ts';
import type { SourceSetup } from '../../run/state/context.ts';
import { countsOf } from '../../sync/review/review.ts';
import type { Asked, Page } from '../frame/operator.ts';
import { banner, button, crumbs, form, head } from '../frame/parts.ts';
import { sourcePath } from '../sources/paths.ts';
import { writtenTable, type WrittenEvent } from './written.ts';

/** Settings being tried out: the form that leads back, or saves them. */
interface Unsaved {
  readonly form: Html;
}

/** A page with what a run of the source would change now. Reads the feed and compares, but writes nothing. */
export async function tryPage(asked: Asked, setup: SourceSetup, unsaved?: Unsaved): Promise<Page> {
  const { name } = setup;
  const found = await dryRun(asked.operator.context, setup, true);
  const title = `What a run of ${name} would change${unsaved ? ' with these rules' : ''}`;
  const path = sourcePath(name);
  return {
    title,
    place: 'sources',
    main: html`${crumbs(asked, [
        ['/sources/', 'Sources'],
        [path, name],
      ])}${head(
        title,
        `It was read just now, and compared with the site. Nothing was written${unsaved ? ', and the rules are not saved' : ''}.`,
        unsaved?.form ??
          form(asked, button('check', 'Check now, and write it', { kind: 'go', icon: 'again' }), { path }),
      )}
      <div class="stack-5">${told(asked, setup, found)}</div>`,
  };
}

const PROBLEMS_MAX = 8;

function told(asked: Asked, { site }: SourceSetup, { report, plan }: DryRun): Html {
  const problems = plan?.problems ?? report.problems;
  const events = (plan?.actions ?? []).flatMap((action): readonly WrittenEvent[] =>
    action.resource === 'events' ? [{ action, entry: plan?.ledger[action.slug]?.entry }] : [],
  );
  const remarks =
    problems.length > 0 &&
    html`<section>
      <h2>What there is to say</h2>
      <ul class="rows">
        ${problems.slice(0, PROBLEMS_MAX).map(({ message }) => html`<li>${messageHtml(asked, message, site.key)}</li>`)}
      </ul>
      ${
        problems.length > PROBLEMS_MAX &&
        html`<p class="small dim">And ${countInWords(problems.length - PROBLEMS_MAX, 'remark')} more.</p>`
      }
    </section>`;
  if (report.state === 'failed') return html`${banner('bad', html`<p>A run would fail now.</p>`, true)}${remarks}`;
  if (events.length === 0)
    return html`<p class="say" role="status">Nothing would change.</p>
      ${remarks}`;
  const held = plan?.held ?? null;
  return html`<p class="say" role="status">${inNumbers(events)}</p>
    ${held !== null && banner('info', html`<p><b>It would wait for a decision:</b> ${held}</p>`)}
    ${writtenTable(asked, site.key, events, { caption: 'What a run would do' })}${remarks}`;
}

function inNumbers(events: readonly WrittenEvent[]): string {
  const { remove, move, change, new: added } = countsOf(events.map(({ action }) => action));
  const parts = [
    ...(remove > 0 ? [`take ${countInWords(remove, 'event')} off the site`] : []),
    ...(move > 0 ? [`move ${move}`] : []),
    ...(change > 0 ? [`change ${change}`] : []),
    ...(added > 0 ? [`add ${added}`] : []),
  ];
  return `A run would ${parts.join(', ')}.`;
}
