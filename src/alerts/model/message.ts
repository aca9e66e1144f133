import type { AlertKind } from '../../config/alerts/alert-kinds.ts';
import { escapeMarkup } from '../../html/references.ts';
import { html, type Html } from '../../html/template.ts';
import { safeLink } from '../../html/link.ts';
import { shortened } from '../../html/shortened.ts';

/** A message to a person. Mails show all of it, chats the subject and the paragraphs. */
export interface Message {
  readonly kind: AlertKind | 'test' | 'letter';
  /** One line: what, which, how many. */
  readonly subject: string;
  /** What has happened; why it matters to visitors; what happens if nothing is done, and when. */
  readonly paragraphs: readonly Paragraph[];
  /** The first one is the main one. Links only open a page. */
  readonly links: readonly MessageLink[];
  readonly foot: string;
}

export interface Paragraph {
  /** An emphasized beginning. */
  readonly strong?: string;
  readonly text: string;
}

export interface MessageLink {
  readonly words: string;
  readonly href: string;
}

const SUBJECT_MAX = 180;

/** A text as a single line for a header, without control characters and limited in length. */
export function oneLine(text: string, max = SUBJECT_MAX): string {
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  return shortened(plain, max);
}

export const paragraphText = ({ strong, text }: Paragraph): string =>
  [strong, text].filter((part) => part !== undefined && part !== '').join(' ');

/** A message as plain text. */
export const plainText = ({ paragraphs, links, foot }: Message): string =>
  [...paragraphs.map(paragraphText), ...links.map(({ words, href }) => `${words}: ${href}`), `-- \n${foot}`].join(
    '\n\n',
  );

/** A message as an HTML page for mail programs. Loads nothing, and reads the same without its few styles. */
export function htmlText({ subject, paragraphs, links, foot }: Message): string {
  const page: Html = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font:16px/1.5 sans-serif;max-width:36em">
${paragraphs.map(paragraphHtml)}
${links.map(({ words, href }, index) => html`<p>${safeLink({ href, style: index === 0 ? MAIN : undefined }, words)}</p>\n`)}
<p style="font-size:13px;color:#555">${foot}</p>
</body></html>
`;
  return page.markup;
}

function paragraphHtml({ strong, text }: Message['paragraphs'][number]): Html {
  const lines = text.split('\n').map((line, index) => html`${index > 0 && html`<br>`}${line}`);
  return html`<p>${strong !== undefined && html`<b>${strong}</b> `}${lines}</p>\n`;
}

const MAIN =
  'display:inline-block;padding:10px 18px;border-radius:8px;background:#0b5a66;color:#fff;text-decoration:none;font-weight:bold';

/** Text for Slack, where these three characters begin links and mentions. */
export const slackText = (text: string): string => escapeMarkup(text);
