import { inQuotes } from '../../look/words/in-quotes.ts';
import { html } from '../../html/template.ts';
import type { Page } from '../frame/operator.ts';
import { head } from '../frame/parts.ts';

/** The page for a source that the configuration file does not have. */
export const noSuchSource = (name: string): Page => ({
  title: 'No such source',
  status: 404,
  place: 'sources',
  main: head(
    'There is no such source',
    html`The file has no source ${inQuotes(name)}: it may have another name now, or the file has a mistake that has to
    be fixed first.`,
  ),
});
