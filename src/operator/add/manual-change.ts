import { inQuotes } from '../../look/words/in-quotes.ts';
import { createHash } from 'node:crypto';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { lineDifference } from './line-difference.ts';
import { MASK, maskSecrets } from '../../config/change/mask-secrets.ts';
import { isRawMap, type RawPath } from '../../config/splice/raw.ts';
import { entryIn, entryRange } from '../../config/splice/splice.ts';
import { linkTo, mayChange } from '../frame/parts.ts';
import type { Asked, LivePart, Sent } from '../frame/operator.ts';
import { sign } from '../frame/sprite.ts';
import { sourcePath } from '../sources/paths.ts';
import { fileNow, type Edit } from './config-edit.ts';

/** A change of the file that can be displayed. */
export type ShownEdit = Extract<Edit, { readonly kind: 'edit' }>;

/** The path of an entry of the file: a source, or a receiver of alerts. */
export type EntryPath = readonly ['sources', name: string] | readonly ['alerts', 'receivers', name: string];

const GONE = 'gone';
const ELEMENT = 'awaited';

/** A digest of the entry at a path of the file; `GONE` if there is none. */
function entryDigest(text: string, path: RawPath): string {
  const said = entryIn(text, path);
  if (said === undefined) return GONE;
  const sorted = JSON.stringify(said, (_, value) =>
    isRawMap(value) ? Object.fromEntries(Object.entries(value).toSorted()) : (value as unknown),
  );
  return createHash('sha256').update(sorted).digest('hex').slice(0, 32);
}

const nameOf = (path: EntryPath): string => path.at(-1) ?? '';
const awaitedOf = (edit: ShownEdit, path: EntryPath): string => [...path, entryDigest(edit.text, path)].join('/');

/** The live parts of a page that waits for its change to be put into the file. */
export const awaitedParts = (
  edit: Edit | undefined,
  readOnly: string | undefined,
  path: EntryPath,
): readonly string[] =>
  edit?.kind === 'edit' && readOnly !== undefined && edit.text !== edit.before
    ? [`${ELEMENT}:${awaitedOf(edit, path)}`]
    : [];

/** Parses the awaited entry from a page's or form's text. Names of entries contain no slash. */
function awaitedFrom(text: string): { readonly path: EntryPath; readonly word: string } | undefined {
  const parts = text.split('/');
  const [first, second, third, fourth] = parts;
  if (first === 'sources' && parts.length === 3 && second && third) return { path: ['sources', second], word: third };
  return first === 'alerts' && second === 'receivers' && parts.length === 4 && third && fourth
    ? { path: ['alerts', 'receivers', third], word: fourth }
    : undefined;
}

/** Whether the file contains the change that the form says its page has shown. */
export async function isInFile({ operator }: Pick<Asked, 'operator'>, sent: Sent): Promise<boolean> {
  const awaited = awaitedFrom(sent.field(ELEMENT));
  return awaited !== undefined && entryDigest((await fileNow(operator)).text, awaited.path) === awaited.word;
}

/** Tells a page that shows a block when the block has been put into the file. */
export const AWAITED_PART: LivePart = {
  name: ELEMENT,
  isPersonal: true,
  concerns: ({ kind }) => kind === 'act',
  show: async (asked, of) => {
    const awaited = awaitedFrom(of);
    if (awaited === undefined || !mayChange(asked)) return undefined;
    const { text } = await fileNow(asked.operator);
    return entryDigest(text, awaited.path) === awaited.word ? appeared(asked, awaited) : undefined;
  },
};

function appeared(asked: Asked, { path, word }: { readonly path: EntryPath; readonly word: string }): Html {
  const name = nameOf(path);
  const [section] = path;
  const [to, words] =
    section === 'alerts'
      ? ['/settings/alerts/', 'Who is notified of what']
      : [word === GONE ? '/sources/' : sourcePath(name), word === GONE ? 'All sources' : name];
  return html`<div id="${ELEMENT}" class="banner good" role="status">
    ${sign('well')}
    <div class="stack">
      <p>
        <b
          >${word === GONE ? `${inQuotes(name)} is no longer in the file.` : `The file has ${inQuotes(name)} like this now.`}</b
        >
        Go on to <a href="${linkTo(asked, to)}">${words}</a>.
      </p>
    </div>
  </div>`;
}

/** A button that copies the lines of an entry, and nothing around it. */
export function copyButton(edit: ShownEdit, path: EntryPath): HtmlPart {
  const block = blockOf(edit, path);
  return (
    block !== undefined &&
    html`<pre id="block-text" hidden>${block}</pre>
      ${COPY}`
  );
}

const COPY = html`<button type="button" data-copy="#block-text" data-done="Copied">Copy the block</button>`;

/** Instructions for a change that this program cannot write into the file. The page must have an act called `wait`. */
export function manualChangeNote(edit: ShownEdit, reason: string, path: EntryPath): Html {
  const name = nameOf(path);
  const block = blockOf(edit, path);
  const isNew = entryIn(edit.before, path) === undefined && !isRenamed(edit, path);
  return html`<div class="banner">
    ${sign('held')}
    <div class="stack">
      <p><b>The file has to be changed by hand:</b> ${reason}. ${whatToDo(block, isNew, name, path)}</p>
      ${
        block !== undefined &&
        html`<pre class="code" tabindex="0" role="region" aria-label="The block for the file" id="block-text">
${block}</pre>
          ${
            block.includes(MASK) &&
            html`<p class="small"><code>${MASK}</code> stands for a secret of the file: leave it there as it is.</p>`
          }`
      }
      <div id="${ELEMENT}" class="small dim" role="status">
        The file is checked every two seconds: this page says so as soon as the change is in it.
      </div>
      <input type="hidden" name="${ELEMENT}" value="${awaitedOf(edit, path)}" />
      <p class="row">
        ${block !== undefined && COPY}<button name="do" value="wait">
          ${block === undefined ? 'I have taken it out' : 'I have put it in'}
        </button>
      </p>
    </div>
  </div>`;
}

function whatToDo(block: string | undefined, isNew: boolean, name: string, path: EntryPath): Html {
  if (block === undefined) return html`Take the lines of ${inQuotes(name)} out that are struck through.`;
  const section = path.slice(0, -1).join(': ');
  if (isNew)
    return /^\S/.test(block)
      ? html`Put these lines at the end of the file.`
      : html`Put these lines below <code>${section}:</code>.`;
  return html`Put these lines in the place of those that the file has for it below <code>${section}:</code> now.`;
}

const isRenamed = ({ before, text }: ShownEdit, path: EntryPath): boolean => {
  const was = entryIn(text, path)?.['was'];
  return typeof was === 'string' && entryIn(text, ['sources', was]) === undefined && before.includes(was);
};

/** The lines that an entry is to have in the file, with secrets masked; undefined if it is removed. */
function blockOf({ before, text }: ShownEdit, path: EntryPath): string | undefined {
  if (entryIn(text, path) === undefined) return undefined;
  const [was, becomes] = [shown(before), shown(text)];
  const lines = lineDifference(was, becomes);
  const isOnlyNew = lines.every(({ kind }) => kind !== 'gone') && entryIn(before, path) === undefined;
  const range = entryRange(becomes, path);
  if (isOnlyNew || range === undefined)
    return lines
      .filter(({ kind }) => kind === 'new')
      .map((line) => line.text)
      .join('\n')
      .replace(/^\n+/, '');
  return becomes.slice(range.from, range.to).trimEnd();
}

const shown = (text: string): string => maskSecrets(text).replaceAll('\r\n', '\n');

/** The answer to someone who has pressed the button before the file had the change. */
export const notYetInFileNote = (name: string): Html =>
  html`<div class="banner" role="status">
    ${sign('held')}
    <div class="stack">
      <p>
        The file does not have ${inQuotes(name)} like this yet, or has not been read again. It is checked every two
        seconds.
      </p>
    </div>
  </div>`;
