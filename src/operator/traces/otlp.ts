import { createHash } from 'node:crypto';
import type { EndedRun, TimedStep } from '../../measures.ts';

/** A span in OTLP's JSON encoding. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 1;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: 1 | 2; readonly message?: string };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
}

const hashed = (text: string, characters: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, characters);

// Derived from the run, so that every process working on it adds to the same trace.
const traceOf = (run: string): string => hashed(`trace ${run}`, 32);
const rootOf = (run: string): string => hashed(`run ${run}`, 16);

const nanos = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

const attributesOf = (facts: Readonly<Record<string, string | number>>): readonly Attribute[] =>
  Object.entries(facts).map(([key, value]) => ({
    key: `calsyncd.${key}`,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

/** The span of a run's step. `unique` tells it apart from others of the same run. */
export const stepSpan = ({ run, source, step, beganAt, endedAt, failed }: TimedStep, unique: string): Span => ({
  traceId: traceOf(run),
  spanId: hashed(`${run} ${step} ${beganAt} ${unique}`, 16),
  parentSpanId: rootOf(run),
  name: step,
  kind: 1,
  startTimeUnixNano: nanos(beganAt),
  endTimeUnixNano: nanos(endedAt),
  attributes: attributesOf({ run, source, step }),
  status: failed === undefined ? { code: 1 } : { code: 2, message: failed },
});

/** The span of a run, which began in the second given in its name. */
export const runSpan = ({ run, source, endedAt, facts }: EndedRun): Span => ({
  traceId: traceOf(run),
  spanId: rootOf(run),
  name: 'run',
  kind: 1,
  startTimeUnixNano: nanos(Math.min(beginOf(run) ?? endedAt, endedAt)),
  endTimeUnixNano: nanos(endedAt),
  attributes: attributesOf({ run, source, ...facts }),
  status: { code: facts['state'] === 'failed' ? 2 : 1 },
});

// Matches "-20270115T120000-0a1b2c".
const BEGIN = /-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)-[0-9a-f]{6}$/;

function beginOf(run: string): number | undefined {
  const [, year, month, day, hour, minute, second] = (BEGIN.exec(run) ?? []).map(Number);
  return year === undefined ? undefined : Date.UTC(year, (month ?? 1) - 1, day, hour, minute, second);
}

/** A request body with the spans of a service. */
export const requestOf = (spans: readonly Span[], service: string, version: string): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: {
          attributes: [
            { key: 'service.name', value: { stringValue: service } },
            { key: 'service.version', value: { stringValue: version } },
          ],
        },
        scopeSpans: [{ scope: { name: 'calsyncd', version }, spans }],
      },
    ],
  });
