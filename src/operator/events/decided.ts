import { AppError } from '../../error.ts';
import { html, type Html } from '../../html/template.ts';
import { causeInWords } from '../../run/state/causes.ts';
import type { SourceSetup } from '../../run/state/context.ts';
import { findRun, type RunRecord } from '../../run/state/records.ts';
import type { Asked as AskedFor } from '../../run/watch/acts.ts';
import type { Started } from '../../run/steps/keep-plan.ts';
import { countInWords } from '../../count-in-words.ts';
import type { Answer, Asked } from '../frame/operator.ts';
import { actorOf } from '../frame/actor.ts';
import { ownWords, withWords } from '../frame/own-words.ts';
import { banner, linkTo } from '../frame/parts.ts';
import { forgetOverview } from '../sources/overview.ts';
import { runPath } from '../sources/paths.ts';

/** Who asks, for the history. */
export const byPerson = (asked: Asked, reason = ''): AskedFor => ({
  by: actorOf(asked),
  ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
});

/** Sets a run going that a person asked for, and leads to `path`, which tells what came of it. */
export async function decided(
  asked: Asked,
  path: string,
  setup: SourceSetup,
  begin: () => Promise<Started>,
): Promise<Answer> {
  const told = (name: string, value: string): Answer => ({
    to: `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`,
  });
  try {
    const started = await asked.operator.engine.carryOut(setup, begin);
    forgetOverview(asked);
    if (started.kind === 'busy') return told('busy', setup.name);
    return told('run', started.kind === 'writing' ? started.run : started.report.run);
  } catch (error) {
    if (error instanceof AppError) return { to: withWords(asked, path, error.message) };
    throw error;
  }
}

const FORGOTTEN: Readonly<Partial<Record<string, string>>> = {
  told: 'It is taken back: off the site, and subscribers get it as cancelled, without its former content.',
  quiet: 'It is taken back: off the site. No feed had told subscribers about it.',
};

/** What came of what somebody has just done here. */
export async function resultBanner(asked: Asked): Promise<Html | false> {
  const { url, base, operator } = asked;
  const [run, busy] = ['run', 'busy'].map((name) => url.searchParams.get(name));
  const refused = ownWords(asked);
  if (busy && operator.context.sources.has(busy))
    return banner(
      'warn',
      html`<p>A run of ${busy} is under way. Nothing was done; try again when it has ended.</p>`,
      true,
    );
  const forgotten = FORGOTTEN[url.searchParams.get('forgotten') ?? ''];
  if (forgotten) return banner('good', html`<p>${forgotten}</p>`, true);
  if (refused) return banner('bad', html`<p>${refused}</p>`, true);
  const record = run ? await findRun(operator.context.database.query(), run) : undefined;
  if (!record) return false;
  const [tone, words] = outcomeOf(record);
  const link = html`<a href="${linkTo({ base }, runPath(record.run))}">The run</a>`;
  return banner(tone, html`<p><b>${causeInWords(record.cause)}</b>: ${words} ${link}</p>`, true);
}

function outcomeOf({ state, report }: RunRecord): readonly ['good' | 'bad' | 'warn' | 'info', string] {
  const problems = (report?.problems ?? [])
    .map(({ message }) => message)
    .slice(0, 3)
    .join(' ');
  if (state === 'reading' || state === 'writing') return ['info', 'is being written now.'];
  if (state === 'failed') return ['bad', problems === '' ? 'has failed.' : problems];
  if (state === 'held') return ['info', 'waits for a decision.'];
  const writes = report ? report.created + report.updated + report.removed : 0;
  const done =
    writes === 0
      ? 'done; nothing had to be written.'
      : `done; ${countInWords(writes, 'event was', 'events were')} written.`;
  return problems === '' ? ['good', done] : ['warn', `${done} ${problems}`];
}
