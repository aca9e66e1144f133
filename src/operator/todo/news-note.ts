import { html, type Html } from '../../html/template.ts';
import { snooze, snoozesOf } from '../../run/watch/snoozes.ts';
import { DAY_MS } from '../../time.ts';
import type { Asked } from '../frame/operator.ts';
import { banner, button, form, linkTo } from '../frame/parts.ts';
import { moment } from '../frame/times.ts';

const NEWS = 'news';
/** How long a version counts as new. */
const TOLD_MS = 30 * DAY_MS;

/** The note shown after an upgrade, until this person hides it. */
export async function newsNote(asked: Asked): Promise<Html | false> {
  const { operator, person, now, zoneOf } = asked;
  const { version, before, since, news } = await operator.whatsNew();
  if (before === undefined || since === undefined || news.length === 0 || now - since.getTime() > TOLD_MS) return false;
  const putAway = await snoozesOf(operator.context.database.query(), person.login);
  if (putAway.some(({ matter, look }) => matter === NEWS && look === version)) return false;
  const upgraded = moment(since.getTime(), zoneOf('builtin'), now);
  return banner(
    'info',
    html`<p>
        <b>calsyncd ${version}</b> has run here since ${upgraded}; before that, ${before} did.
        <a href="${linkTo(asked, '/help/new/')}">What is new</a>
      </p>
      ${form(asked, button('read', 'Put this note away', { kind: 'bare' }))}`,
  );
}

/** Hides the note for this person until the next version. */
export async function putNewsAway({ operator, person }: Asked): Promise<{ readonly to: string }> {
  const { version } = await operator.whatsNew();
  await snooze(operator.context.database.query(), person.login, { key: NEWS, look: version }, null);
  return { to: '/' };
}
