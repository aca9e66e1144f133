import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail as it arrived. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** By lower-case name; unfolded, with encoded words decoded. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
  readonly raw: string;
}

export interface MailServer {
  /** `smtp://127.0.0.1:PORT` */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Makes the server answer each recipient with this error; undefined makes it accept mails again. */
  readonly refuse: (answer: Refusal | undefined) => void;
  /** The user names and passwords of all logins. */
  readonly logins: readonly string[];
  readonly close: () => Promise<void>;
}

export interface Refusal {
  readonly code: number;
  readonly words: string;
}

/** A real SMTP server on a free port of 127.0.0.1. */
export async function mailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const logins: string[] = [];
  let refusal: Refusal | undefined;
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onAuth: ({ username = '', password = '' }, _session, answer) => {
      logins.push(`${username}:${password}`);
      answer(null, { user: username });
    },
    onRcptTo: (_address, _session, answer) =>
      answer(refusal && Object.assign(new Error(refusal.words), { responseCode: refusal.code })),
    onData: (stream, { envelope }, answer) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        mails.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          ...readMail(Buffer.concat(parts).toString('latin1')),
        });
        answer();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    logins,
    refuse: (answer) => {
      refusal = answer;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

/** The headers and the plain and HTML texts of a raw mail. */
function readMail(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'raw'> {
  const { headers, body } = partOf(raw);
  const [, boundary] = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? [];
  const parts =
    boundary === undefined
      ? [{ headers, body }]
      : body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => partOf(part.trimStart()));
  const ofKind = (kind: string): string => {
    const part = parts.find((each) => (each.headers['content-type'] ?? '').startsWith(kind));
    return part === undefined ? '' : decodedBody(part);
  };
  return { headers, text: ofKind('text/plain'), html: ofKind('text/html'), raw };
}

function partOf(raw: string): { headers: Record<string, string>; body: string } {
  const at = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, at)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    withoutEncodedWords(line.slice(line.indexOf(':') + 1).trim()),
  ]);
  return { headers: Object.fromEntries(headers), body: raw.slice(at + 4) };
}

const withoutEncodedWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, how: string, word: string) =>
      how.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString('latin1') : bytesOf(word.replaceAll('_', ' ')),
    )
    .replace(/[\u0080-\u00ff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));

const bytesOf = (text: string): string =>
  text.replace(/=([0-9A-F]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

function decodedBody({ headers, body }: { headers: Record<string, string>; body: string }): string {
  const how = (headers['content-transfer-encoding'] ?? '').toLowerCase();
  if (how === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  const bytes = how === 'quoted-printable' ? bytesOf(body.replace(/=\r\n/g, '')) : body;
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}
