import { countInWords } from '../../count-in-words.ts';
import { html, type Html } from '../../html/template.ts';
import { takenBackIn } from '../../run/decisions/undo-run.ts';
import type { Asked } from '../frame/operator.ts';
import { linkTo } from '../frame/parts.ts';
import { moment } from '../frame/times.ts';
import { runPath } from './paths.ts';

/** What has been undone of a run, by whom, when and in which run; false if nothing has. */
export async function undoneList(asked: Asked, run: Parameters<typeof takenBackIn>[1]): Promise<Html | false> {
  const all = await takenBackIn(asked.operator.context.database.query(), run);
  return (
    all.length > 0 &&
    html`<ul class="small">
      ${all.map(
        ({ undo, at, by, events }) =>
          html`<li>
            <b>Taken back</b>${by !== null && ` by ${by}`}, ${moment(at.getTime(), asked.zoneOf(run.site), asked.now)}:
            <a href="${linkTo(asked, runPath(undo))}">${countInWords(events, 'event')}</a>
          </li>`,
      )}
    </ul>`
  );
}
