import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import type Pino from 'pino';
import { printableJson } from './json.ts';
import { redact } from './redact.ts';
import { whenAsked } from './remembered.ts';

/** Messages are constant texts; facts go into fields. */
export type Logger = Readonly<Pick<Pino.Logger, 'debug' | 'info' | 'warn' | 'error'>>;

/** Loaded on first use: it takes as long to load as a small command, and most commands log nothing. */
const library = whenAsked(() => createRequire(import.meta.url)('pino') as typeof Pino);

/** The process's logger: JSON lines on stderr (or to `to`). Removes secrets from all fields and sentences. */
export function createLogger(level: Pino.LevelWithSilent, to?: Writable): Logger {
  const lines = whenAsked(() => writeLines(level, to));
  const sayAt =
    (severity: keyof Logger): Pino.LogFn =>
    (...said: Parameters<Pino.LogFn>) =>
      lines()[severity](...said);
  return { debug: sayAt('debug'), info: sayAt('info'), warn: sayAt('warn'), error: sayAt('error') };
}

function writeLines(level: Pino.LevelWithSilent, to?: Writable): Pino.Logger {
  const pino = library();
  const options: Pino.LoggerOptions = {
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
 * Writes synchronously, so that nothing logged before an exit is lost. On a full disk, log lines are lost but the
 * program continues.
 */
function errorStream(): Writable {
  const stream = library().destination({ fd: 2, sync: true });
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
