import type { SourceConfig } from '../../config/config.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import { AppError } from '../../error.ts';
import type { Problem } from '../../problem.ts';
import { readAgain } from '../../run/decisions/fresh-reading.ts';
import { nearLinks } from '../../run/site/near-links.ts';
import type { SourceSetup } from '../../run/state/context.ts';
import { isPaused } from '../../run/watch/pauses.ts';
import type { App } from '../open/open-context.ts';
import { sourceNamed } from '../terminal/source-named.ts';
import { problemInWords } from '../terminal/words.ts';
import type { Finding } from './finding.ts';

/** Whether a source can be read now. Problems of a paused one do not count until it is resumed. */
export async function trySource({ context }: App, config: SourceConfig): Promise<Finding> {
  const { name } = config;
  const setup = sourceNamed(context, name);
  const paused = config.paused || (await isPaused(context.database.query(), { site: setup.site.key, source: name }));
  try {
    const { found, facts, ...others } = await read(context, setup, config);
    return { ...others, found: paused ? `paused; ${found}` : found, facts: { ...facts, paused } };
  } catch (error) {
    if (!paused || !(error instanceof AppError)) throw error;
    const { code, message } = error;
    const facts = { name, ok: true, remarks: [{ code, message, where: {} }], paused };
    return { found: 'paused', remarks: [message], facts, problems: [] };
  }
}

async function read(context: App['context'], setup: SourceSetup, { name, language }: SourceConfig): Promise<Finding> {
  const { languages } = await setup.site.client.abilities();
  if (language !== undefined && languages.length > 0 && !languages.includes(language))
    throw new AppError(
      'site-language',
      `The site has nothing in "${language}". Its languages are ${languages.join(', ')}.`,
    );
  const { reading } = await readAgain(context, setup, 'now');
  const { drafts, excluded, unread } = reading;
  const near = await nearLinks(setup, reading);
  const remarks = [...reading.problems, ...near];
  const facts = { name, ok: true, events: drafts.length, left_out: excluded.length, unread: unread.length, remarks };
  return {
    found: `${countInWords(drafts.length, 'event')}, ${grouped(excluded.length)} left out, ${countInWords(remarks.length, 'remark')}`,
    remarks: [...near.map(({ message }) => message), ...readingRemarks(name, reading.problems)],
    facts,
    problems: [],
  };
}

const REMARKS_SHOWN_MAX = 3;

/** The first remarks on a feed that was read, and the command that lists the rest. */
function readingRemarks(source: string, problems: readonly Problem[]): readonly string[] {
  const more = problems.length - REMARKS_SHOWN_MAX;
  return [
    ...problems.slice(0, REMARKS_SHOWN_MAX).map(problemInWords),
    ...(more > 0 ? [`and ${grouped(more)} more: "npm run -s calsyncd -- preview ${source}" lists them.`] : []),
  ];
}
