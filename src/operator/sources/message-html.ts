import { inQuotes, isolated } from '../../look/words/in-quotes.ts';
import { html, joinHtml, type Html, type HtmlPart } from '../../html/template.ts';
import { FIELD_NAMES } from '../../sync/model/fields.ts';
import { labelOfField } from '../frame/field-labels.ts';
import type { Asked } from '../frame/operator.ts';
import { linkTo } from '../frame/parts.ts';
import { eventPath, runPath, runsPath, sourcePath, TRY_AGAIN } from './paths.ts';

// Messages of runs and refusals suggest commands, and name runs and events as the command line takes them. The console
// replaces these by links to the page that has the button, or to the thing named, and uses its own names for fields.

/** The console's counterpart of each command. `about` is the command's first argument, `more` all of them. */
const PLACES: Readonly<
  Record<string, (about: string, here: Here, more: string) => { readonly path: string; readonly words: string }>
> = {
  adopt: (source) => ({ path: `/adopt/?source=${encodeURIComponent(source)}`, words: '“Take over”' }),
  detach: (slug, here) => ({ path: eventPathOf(slug, here), words: '“Give it back”' }),
  explain: () => ({ path: '/events/', words: 'the page of an event' }),
  restore: () => ({ path: '/ignored/', words: '“Restore it”' }),
  runs: (source) => ({ path: runsPath(source === '' ? undefined : source), words: 'the page of all runs' }),
  settle: (slug, here, more) =>
    more.endsWith('--field image')
      ? { path: `${eventPathOf(slug, here)}#image`, words: inQuotes(TRY_AGAIN) }
      : { path: '/conflicts/', words: '“Settle”' },
  show: (run) => ({ path: runPath(run), words: 'its page' }),
  sync: (source) => ({ path: sourcePath(source), words: '“Check now”' }),
};

/** The page that shows the message. */
type Page = Pick<Asked, 'base' | 'params' | 'operator'>;
/** The same, with the key of the site that the message is about; undefined if unknown. */
type Here = Page & { readonly site: string | undefined };

const eventPathOf = (slug: string, here: Here): string => eventPath(here, { slug, site: here.site });

type Names = Readonly<Partial<Record<string, string>>>;

/** The replacement text, and the page it links to. */
interface Said {
  readonly words: string;
  readonly path?: string;
}

const FIELD = FIELD_NAMES.toSorted((one, other) => other.length - one.length).join('|');
/** The phrases that introduce field names in messages; elsewhere those names are ordinary words. */
export const BEFORE_FIELDS = [
  'column was recognized as ',
  'its former ',
  'was changed since in ',
  'The feed decides about ',
  'The feed says nothing about ',
  'On the site, ',
  '(in all: ',
  'on the site in the meantime (',
];

/** The patterns to look for in messages, and their replacements. */
const SAYINGS: readonly { readonly pattern: RegExp; readonly say: (names: Names, here: Here) => Said | undefined }[] = [
  {
    pattern: /"npm run -s calsyncd -- (?<command>[a-z]+) ?(?<args>[^"]*)"/,
    say: ({ command = '', args = '' }, here) =>
      args.includes('--full') ? undefined : PLACES[command]?.(args.split(' ')[0] ?? '', here, args),
  },
  {
    pattern: /(?:The|the) run (?<run>[\w-]+-\d{8}T\d{6}-[0-9a-f]{6})/,
    say: ({ run = '' }, { params }) =>
      run === params['run'] ? { words: 'this run' } : { words: 'another run', path: runPath(run) },
  },
  {
    pattern: /"(?<title>[^"]+)" \((?<titled>[\w-]+-[a-z2-7]{14})\)/,
    say: ({ title = '', titled = '' }, here) => ({ words: inQuotes(title), path: eventPathOf(titled, here) }),
  },
  {
    pattern: new RegExp(
      `(?<before>${BEFORE_FIELDS.map(RegExp.escape).join('|')})(?<fields>(?:${FIELD})(?:(?:, | or )(?:${FIELD}))*)(?!\\w)`,
    ),
    say: ({ before = '', fields = '' }) => ({
      words: before + fields.replaceAll(/[a-z_]+/g, (name) => (name === 'or' ? name : inQuotes(labelOfField(name)))),
    }),
  },
  {
    pattern: /Name them under columns in the configuration, for example columns: (?<example>\{ \w+: "(?:[^"]|"")*" \})/,
    say: () => ({ words: 'Name them in its settings' }),
  },
  {
    pattern: /the configuration of the source names another, or none: columns: (?<none>\{ \w+: none \})/,
    say: () => ({ words: 'its settings name another, or “none”' }),
  },
  // Quoted text comes from a feed and may look like a slug: "self-congratulatory".
  { pattern: /(?<quoted>"[^"]*")/, say: ({ quoted = '' }) => ({ words: `"${isolated(quoted.slice(1, -1))}"` }) },
  {
    pattern: /(?<![/“\w-])(?<slug>[\w-]+-[a-z2-7]{14})(?![/\w-])/,
    say: ({ slug = '' }, here) =>
      slug === here.params['slug'] ? { words: 'this event' } : { words: 'that event', path: eventPathOf(slug, here) },
  },
];

const NAMED = new RegExp(SAYINGS.map(({ pattern }) => `(?:${pattern.source})`).join('|'), 'g');

/** Turns a message into HTML for a page of the console. `site` is the key of the site it is about, if known. */
export function messageHtml(page: Page, message: string, site: string | undefined): Html {
  const here = { base: page.base, params: page.params, operator: page.operator, site };
  const parts: HtmlPart[] = [];
  let end = 0;
  for (const found of message.matchAll(NAMED)) {
    const isFirst = /(?:^|[.:!?] )$/.test(message.slice(0, found.index));
    parts.push(message.slice(end, found.index), saidHere(here, found[0], isFirst));
    end = found.index + found[0].length;
  }
  return joinHtml([...parts, message.slice(end)], '');
}

function saidHere(here: Here, named: string, isFirst: boolean): Html {
  const [said] = SAYINGS.flatMap(({ pattern, say }) => {
    const found = pattern.exec(named);
    return found ? [say(found.groups ?? {}, here)] : [];
  });
  if (!said) return html`<code>${named.slice(1, -1).replace('npm run -s calsyncd -- ', 'calsyncd ')}</code>`;
  const words = isFirst ? `${said.words.charAt(0).toUpperCase()}${said.words.slice(1)}` : said.words;
  return said.path === undefined ? html`${words}` : html`<a href="${linkTo(here, said.path)}">${words}</a>`;
}
