import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliver, type Destination, type DeliveryContent } from '../../../src/alerts/channels/deliver.ts';
import type { MailServer as OutgoingServer } from '../../../src/alerts/channels/send-mail.ts';
import type { Message } from '../../../src/alerts/model/message.ts';
import { openHttp, type Http } from '../../../src/client/http.ts';
import { feedServer, status, type FeedServer } from '../../support/feed-server.ts';
import { mailServer, type MailServer } from '../../support/mail-server.ts';

// What receivers are sent, over real SMTP and HTTP.

let mails: MailServer;
let web: FeedServer;
let http: Http;
let posted: { readonly body: unknown; readonly headers: Readonly<Record<string, unknown>> }[];
beforeAll(async () => {
  [mails, web] = await Promise.all([mailServer(), feedServer()]);
  http = openHttp({ connectionsPerHost: 1, connectTimeoutMs: 5_000, headersTimeoutMs: 10_000, idleTimeoutMs: 10_000 });
});
afterAll(async () => {
  await http.close();
  await Promise.all([mails.close(), web.close()]);
});
beforeEach(() => {
  mails.refuse(undefined);
  posted = [];
  for (const path of ['/', '/hook/hunter2', '/sub/'])
    web.on(path, (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        posted.push({ body: JSON.parse(Buffer.concat(parts).toString()), headers: request.headers });
        response.writeHead(202).end();
      });
    });
});

const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string;
const message: Message = {
  kind: 'failing',
  subject: 'kino-zorza: failing (the address may not be read) – “Köln”',
  paragraphs: [
    { text: 'It has not been read since Sunday 08:15.' },
    { strong: 'The publisher must act.', text: '<script>alert(1)</script> & [click](https://evil.example) <!channel>' },
  ],
  links: [{ words: 'See why', href: 'https://town.example/operator/sources/kino-zorza?a=1&b=2' }],
  foot: 'This opens a page.',
};
const content: DeliveryContent = { message, references: ['<root@town.example>', '<first@town.example>'], body: null };
const to = (channel: Destination['channel'], address: string, token?: string): Destination => ({
  channel,
  address: () => address,
  token: token === undefined ? undefined : () => token,
});
const outgoing = (server: string, login?: { username: string; password: string }): OutgoingServer => ({
  server,
  username: login?.username,
  password: login && (() => login.password),
  from: 'calendar@town.example',
  fromName: 'calsyncd, Town "calendar", <x>',
});
const send = (destination: Destination, one = content, mail = outgoing(mails.url)) =>
  deliver(destination, one, '<id@town.example>', { http, mail });
const lastMail = () => {
  const mail = mails.mails.at(-1);
  if (mail === undefined) throw new Error('no mail has arrived');
  return mail;
};

describe('a mail', () => {
  test('is plain text and simple HTML, in the thread it belongs to', async () => {
    expect(await send(to('mail', 'clerk@town.example'))).toMatchObject({
      isAccepted: true,
      words: matching(/^250 /),
    });
    const { from, to: receivers, headers, text, html } = lastMail();
    expect({ from, receivers }).toEqual({ from: 'calendar@town.example', receivers: ['clerk@town.example'] });
    expect(headers).toMatchObject({
      subject: message.subject,
      to: 'clerk@town.example',
      from: '"calsyncd, Town \\"calendar\\", <x>" <calendar@town.example>',
      'message-id': '<id@town.example>',
      references: '<root@town.example> <first@town.example>',
      'in-reply-to': '<first@town.example>',
      'auto-submitted': 'auto-generated',
    });
    expect(text).toBe(
      'It has not been read since Sunday 08:15.\n\nThe publisher must act. ' +
        '<script>alert(1)</script> & [click](https://evil.example) <!channel>\n\n' +
        'See why: https://town.example/operator/sources/kino-zorza?a=1&b=2\n\n' +
        '-- \nThis opens a page.\n',
    );
    expect(html).toContain('<p><b>The publisher must act.</b> &lt;script&gt;alert(1)&lt;/script&gt; &amp; [click]');
    expect(html).toContain('href="https://town.example/operator/sources/kino-zorza?a=1&amp;b=2"');
  });

  test('gets no header from a line break in a text', async () => {
    const subject = 'A title\r\nBcc: everybody@town.example\r\n\r\nbody';
    await send(to('mail', 'clerk@town.example'), { ...content, message: { ...message, subject } });
    expect(lastMail().to).toEqual(['clerk@town.example']);
    expect(lastMail().headers['bcc']).toBeUndefined();
    expect(lastMail().headers['subject']).toMatch(/^A title\s+Bcc: everybody@town\.example\s+body$/);
    await send(to('mail', 'clerk@town.example'), content, {
      ...outgoing(mails.url),
      fromName: 'Town\r\nBcc: e@x.example',
    });
    expect(lastMail().headers['bcc']).toBeUndefined();
    expect(lastMail().headers['from']).toBe('"Town Bcc: e@x.example" <calendar@town.example>');
  });

  test('is sent with user and password if there are some', async () => {
    await send(to('mail', 'clerk@town.example'), content, outgoing(mails.url, { username: 'me', password: 'hunter2' }));
    expect(mails.logins.at(-1)).toBe('me:hunter2');
  });

  test('that is refused reports why', async () => {
    mails.refuse({ code: 550, words: 'mailbox full' });
    expect(await send(to('mail', 'clerk@town.example'))).toEqual({
      isAccepted: false,
      words: 'answered 550 mailbox full',
    });
  });

  test('is not sent where nothing listens, nor with a password over an unencrypted connection', async () => {
    const { port } = await closedServer();
    expect(await send(to('mail', 'a@b.example'), content, outgoing(`smtp://127.0.0.1:${port}`))).toMatchObject({
      isAccepted: false,
      words: matching(/^no connection: /),
    });
    // The same server, under an address that does not count as this machine. It offers no encryption.
    const elsewhere = mails.url.replace('127.0.0.1', '[::ffff:127.0.0.1]');
    const before = mails.mails.length;
    expect(await send(to('mail', 'a@b.example'), content, outgoing(elsewhere))).toMatchObject({ isAccepted: true });
    const login = { username: 'me', password: 'secret-word' };
    expect(await send(to('mail', 'a@b.example'), content, outgoing(elsewhere, login))).toMatchObject({
      isAccepted: false,
    });
    expect([mails.mails.length - before, mails.logins.filter((each) => each.includes('secret-word'))]).toEqual([1, []]);
  });
});

async function closedServer(): Promise<{ readonly port: number }> {
  const server = await feedServer();
  await server.close();
  return server;
}

describe('chats and programs', () => {
  test('Slack gets texts as plain_text, and only our link as mrkdwn', async () => {
    expect(await send(to('slack', `${web.url}/hook/hunter2`))).toEqual({ isAccepted: true, words: '202' });
    expect(posted[0]?.body).toEqual({
      text: 'kino-zorza: failing (the address may not be read) – “Köln”',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: message.subject } },
        { type: 'section', text: { type: 'plain_text', text: 'It has not been read since Sunday 08:15.' } },
        {
          type: 'section',
          text: {
            type: 'plain_text',
            text: 'The publisher must act. <script>alert(1)</script> & [click](https://evil.example) <!channel>',
          },
        },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '<https://town.example/operator/sources/kino-zorza?a=1&amp;b=2|See why>' },
        },
      ],
    });
  });

  test('Teams gets an Adaptive Card in attachments, with the link as its button', async () => {
    await send(to('teams', `${web.url}/hook/hunter2`));
    expect(posted[0]?.body).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: message.subject, weight: 'bolder' }] },
              { type: 'RichTextBlock' },
              { inlines: [{ text: 'The publisher must act. ', weight: 'bolder' }, { text: matching(/<script>/) }] },
            ],
            actions: [{ type: 'Action.OpenUrl', title: 'See why', url: message.links[0]?.href }],
          },
        },
      ],
    });
  });

  test.each([
    ['', '/'],
    ['/sub', '/sub/'],
  ])('ntfy gets a request to the root of its server (%j), with the topic in the body', async (under, path) => {
    await send(to('ntfy', `${web.url}${under}/town-hunter2`, 'tk_abc'));
    expect(web.requests.at(-1)?.url).toBe(path);
    expect(posted[0]).toMatchObject({
      body: {
        topic: 'town-hunter2',
        title: message.subject,
        priority: 4,
        click: message.links[0]?.href,
        actions: [{ action: 'view', label: 'See why' }],
      },
      headers: { authorization: 'Bearer tk_abc' },
    });
  });

  test('an ntfy address with a stray "%" works like any other', async () => {
    await send(to('ntfy', `${web.url}/100%-town`));
    expect(posted[0]?.body).toMatchObject({ topic: '100%-town' });
  });

  test('a webhook can recognise a repeated message by its Idempotency-Key', async () => {
    await send(to('webhook', `${web.url}/hook/hunter2`));
    expect(posted[0]?.headers).toMatchObject({ 'idempotency-key': '<id@town.example>' });
  });

  test.each([
    ['ntfy', '/town-hunter2', '/', 'topic town-hunter2 is reserved', 'topic … is reserved'],
    ['ntfy', '/f%C3%AAte-hunter2', '/', 'topic fête-hunter2 is reserved', 'topic … is reserved'],
    [
      'webhook',
      '/hook/hunter2?sig=hunter3',
      '/hook/hunter2',
      'sig hunter3 of hunter2 is no more',
      'sig … of … is no more',
    ],
    ['slack', '/hook/T0123456789abcdef/hunter2', '/hook/T0123456789abcdef/hunter2', 'T0123456789abcdef?', '…?'],
  ] as const)(
    'an answer of %s is shown without the secret parts of %s',
    async (channel, address, path, said, shown) => {
      web.on(path, status(403, said));
      expect(await send(to(channel, web.url + address))).toEqual({
        isAccepted: false,
        words: `answered 403: ${shown}`,
      });
    },
  );

  test('an answer that is a web page is shown as its text', async () => {
    const page =
      '<!DOCTYPE html>\n<html><head><title>Not found</title></head><body><h1>No such hook</h1></body></html>';
    web.on('/hook/hunter2', status(404, page));
    expect((await send(to('slack', `${web.url}/hook/hunter2`))).words).toMatch(/^answered 404: [\w ]*No such hook$/);
  });

  test('a refusal is shown with its reason, and without the address', async () => {
    web.on('/hook/hunter2', status(404, 'no_service at /hook/hunter2\nsecond line'));
    expect(await send(to('slack', `${web.url}/hook/hunter2`))).toEqual({
      isAccepted: false,
      words: 'answered 404: no_service at … second line',
    });
    const { port } = await closedServer();
    expect(await send(to('slack', `http://127.0.0.1:${port}/hook/hunter2`))).toEqual({
      isAccepted: false,
      words: 'no connection: ECONNREFUSED',
    });
  });
});
