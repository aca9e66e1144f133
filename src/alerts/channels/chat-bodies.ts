import { decoded } from '../../config/environment.ts';
import { paragraphText, slackText, type Message, type MessageLink } from '../model/message.ts';
import { shortened } from '../../html/shortened.ts';

// Slack refuses longer blocks; ntfy turns longer messages into attachments.
const BLOCK_MAX = 2900;
const NTFY_MAX = 3500;

/**
 * A message for an incoming webhook of Slack. Text from outside is sent as plain text, so that it cannot mention
 * anybody.
 */
export const slackBody = ({ subject, paragraphs, links }: Message): object => ({
  text: slackText(subject),
  blocks: [
    { type: 'header', text: { type: 'plain_text', text: shortened(subject, 150) } },
    ...paragraphs.map((paragraph) => ({
      type: 'section',
      text: { type: 'plain_text', text: shortened(paragraphText(paragraph), BLOCK_MAX) },
    })),
    ...(links.length === 0
      ? []
      : [{ type: 'section', text: { type: 'mrkdwn', text: links.map(slackLink).join(' · ') } }]),
  ],
});

const slackLink = ({ words, href }: MessageLink): string =>
  `<${slackText(href).replaceAll('|', '%7C')}|${slackText(words)}>`;

/**
 * A message for a Teams workflow, as an Adaptive Card. Uses text runs, because a text block would interpret Markdown in
 * text from outside.
 */
export const teamsBody = ({ subject, paragraphs, links }: Message): object => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          run([{ text: subject, weight: 'bolder', size: 'medium' }]),
          ...paragraphs.map(({ strong, text }) =>
            run([...(strong === undefined ? [] : [{ text: `${strong} `, weight: 'bolder' }]), { text }]),
          ),
        ],
        actions: links.map(({ words, href }) => ({ type: 'Action.OpenUrl', title: words, url: href })),
      },
    },
  ],
});

const run = (parts: readonly object[]): object => ({
  type: 'RichTextBlock',
  inlines: parts.map((part) => ({ type: 'TextRun', ...part })),
});

const PRIORITY: Readonly<Partial<Record<Message['kind'], number>>> = { failing: 4, held: 4, late: 4, digest: 2 };

/** A message for ntfy, to be sent to the root of its server. `topic` is the address of the topic. */
export function ntfyRequest(topic: URL, { kind, subject, paragraphs, links }: Message): { url: URL; body: object } {
  const at = topic.pathname.replace(/\/+$/, '');
  const topicIn = at.slice(at.lastIndexOf('/') + 1);
  const root = new URL(topic);
  root.pathname = at.slice(0, at.lastIndexOf('/') + 1);
  const body = {
    topic: decoded(topicIn) ?? topicIn,
    title: subject,
    message: shortened(paragraphs.map(paragraphText).join('\n\n'), NTFY_MAX),
    priority: PRIORITY[kind] ?? 3,
    ...(links[0] && { click: links[0].href }),
    actions: links.slice(0, 3).map(({ words, href }) => ({ action: 'view', label: words, url: href })),
  };
  return { url: root, body };
}
