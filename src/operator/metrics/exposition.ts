import { LIMIT, type Labels } from '../../measures.ts';
import { METRICS, type MetricName } from './metric-table.ts';

/** One value of a metric; `part` is the kind of value in a histogram. */
export interface Sample {
  readonly metric: MetricName;
  readonly part?: 'bucket' | 'sum' | 'count';
  readonly labels?: Labels;
  readonly value: number;
}

/** Renders samples in the Prometheus text format (0.0.4), grouped by metric. */
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

/** Label names in a fixed order, with the histogram's limit last. */
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

/** Orders a histogram as one block per set of labels, its limits ascending. */
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
