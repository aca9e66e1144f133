import { LIMIT, type Labels } from '../../measures.ts';
import { METRICS, type MetricName } from './metric-table.ts';

/** One value of a metric; `part` tells the values of a histogram apart. */
export interface Sample {
  readonly metric: MetricName;
  readonly part?: 'bucket' | 'sum' | 'count';
  readonly labels?: Labels;
  readonly value: number;
}

/** Samples in the text format of Prometheus (0.0.4), metric by metric. */
export function exposition(samples: readonly Sample[]): string {
  const byMetric = Map.groupBy(samples, ({ metric }) => metric);
  return Object.entries(METRICS)
    .flatMap(([name, { type, help }]) => {
      const own = byMetric.get(name as MetricName) ?? [];
      if (own.length === 0) return [];
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...inOrder(type, own).map(line)];
    })
    .map((text) => `${text}\n`)
    .join('');
}

const line = ({ metric, part, labels = {}, value }: Sample): string => {
  const named = namesIn(labels).map((name) => `${name}="${escaped(labels[name] ?? '')}"`);
  return `${metric}${part ? `_${part}` : ''}${named.length > 0 ? `{${named.join(',')}}` : ''} ${value}`;
};

/** The names of labels in one order, wherever they come from; that of a limit is the last. */
const namesIn = (labels: Labels): readonly string[] => {
  const own = Object.keys(labels)
    .filter((name) => name !== LIMIT)
    .toSorted();
  return LIMIT in labels ? [...own, LIMIT] : own;
};

const escaped = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('"', String.raw`\"`);

const inOrder = (type: string, samples: readonly Sample[]): readonly Sample[] =>
  type === 'histogram' ? samples.toSorted(byLabels) : samples;

/** A histogram is one block for each set of labels, its limits from the lowest up. */
function byLabels(one: Sample, other: Sample): number {
  const [mine, theirs] = [setOf(one), setOf(other)];
  if (mine !== theirs) return mine < theirs ? -1 : 1;
  return PARTS.indexOf(one.part) - PARTS.indexOf(other.part) || limitOf(one) - limitOf(other);
}

const PARTS: readonly Sample['part'][] = ['bucket', 'sum', 'count', undefined];

const setOf = ({ labels = {} }: Sample): string =>
  namesIn(labels)
    .filter((name) => name !== LIMIT)
    .map((name) => `${name}=${labels[name]}`)
    .join('\n');

const limitOf = ({ labels }: Sample): number => {
  const limit = labels?.[LIMIT] ?? '0';
  return limit === '+Inf' ? Number.POSITIVE_INFINITY : Number(limit);
};
