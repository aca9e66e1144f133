import { Writable } from 'node:stream';
import pino, { type Logger } from 'pino';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The process's logger: JSON lines on stderr (or into `to`), constant text with facts in fields; `child({ source, run
 * })` scopes it. Secrets never leave it, in whatever field or sentence they are.
 */
export function createLogger(level: LogLevel, to?: Writable): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    hooks: { streamWrite: redactLine },
    serializers: { error: pino.stdSerializers.errWithCause, err: pino.stdSerializers.errWithCause },
  };
  return pino(options, to ?? errorStream());
}

/**
 * Writes synchronously, so that nothing logged before an exit is lost. On a full disk log lines are lost, but the
 * program goes on.
 */
function errorStream(): Writable {
  const stream = pino.destination({ fd: 2, sync: true });
  stream.on('error', () => undefined);
  return stream as unknown as Writable;
}

const SECRET_FIELD =
  /(?:password|passwd|secret|token|api[_-]?key|bearer)$|^(?:proxy-)?authorization$|^(?:set-)?cookie$/i;
const USER_IN_ADDRESS = /([a-z][a-z0-9+.-]{0,40}:\/\/)[^/\s"\\?#@]*@/gi;
const SECRET_IN_QUERY = /([?&](?:[\w-]*(?:password|secret|token|key|auth|signature)|sig|pw)=)[^&\s"\\#]+/gi;
// The unguessable part of a private calendar's address at Google and at Outlook.
const SECRET_IN_PATH = /(\/private-)[0-9a-f]+|(\/owa\/calendar\/[^/\s"]+\/)[0-9a-f]{16,}/gi;
// Not "Basic training": credentials have a digit, a padding or capitals in the middle.
const CREDENTIALS = /\b(Bearer\s+|Basic\s+(?=[\w.~+/-]*(?:\d|=|[a-z][A-Z])))[\w.~+/=-]{6,}/g;

const redactLine = (line: string): string => `${JSON.stringify(JSON.parse(line, redactField))}\n`;

function redactField(name: string, value: unknown): unknown {
  if (SECRET_FIELD.test(name)) return '[secret]';
  return typeof value === 'string' ? redact(value) : value;
}

/** Text with its secrets taken out: users in addresses, keys in queries, credentials in sentences. */
export function redact(text: string): string {
  return text
    .replace(USER_IN_ADDRESS, '$1[secret]@')
    .replace(SECRET_IN_QUERY, '$1[secret]')
    .replace(SECRET_IN_PATH, '$1$2[secret]')
    .replace(CREDENTIALS, '$1[secret]');
}
