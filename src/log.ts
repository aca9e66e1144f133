import { Writable } from 'node:stream';
import pino, { type Logger } from 'pino';
import { printableJson } from './json.ts';
import { redact } from './redact.ts';

export type { Logger } from 'pino';

/**
 * The process's logger: JSON lines on stderr (or into `to`), constant text with facts in fields; `child({ source, run
 * })` scopes it. Secrets never leave it, in whatever field or sentence they are.
 */
export function createLogger(level: pino.LevelWithSilent, to?: Writable): Logger {
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

const redactLine = (line: string): string => `${printableJson(JSON.parse(line, redactField))}\n`;

function redactField(name: string, value: unknown): unknown {
  if (SECRET_FIELD.test(name)) return '[secret]';
  return typeof value === 'string' ? redact(value) : value;
}
