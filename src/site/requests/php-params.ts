/** Raw parameters by name. */
export type Params = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 64;

interface Branch {
  readonly values: Map<string, string | Branch>;
  /** The index for `a[]`: one more than the largest so far, so that it replaces nothing. */
  next: number;
}

const newBranch = (): Branch => ({ values: new Map(), next: 0 });

/**
 * Parses names and values as PHP does: `a[]=1&a[]=2` is a list, `a[b][c]=1` a nested object; if a name is repeated, the
 * last value counts. If all keys are numbers, the result is a list in order of occurrence: PHP has only one kind of
 * array, and the interface takes such arrays as lists whatever the numbers.
 */
export function phpParams(pairs: Iterable<readonly [string, string]>): Params {
  const root = newBranch();
  for (const [name, value] of pairs) set(root, keysOf(name), value);
  return objectFrom(root);
}

/** Parses the parameters in a query string or a form's body. */
export const phpParamsFromText = (text: string): Params => phpParams(new URLSearchParams(text));

/** Whether a query string or a form's body has more than `max` pairs, without parsing it. */
export function hasMorePairs(text: string, max: number): boolean {
  let pairs = 1;
  for (let at = text.indexOf('&'); at >= 0 && pairs <= max; at = text.indexOf('&', at + 1)) pairs += 1;
  return pairs > max;
}

/** Splits `a[b][]` into a, b and ''. A malformed or too deeply nested name is kept whole. */
function keysOf(name: string): readonly string[] {
  const form = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
  const inner = form?.[2]?.slice(1, -1).split('][') ?? [];
  return form && inner.length <= DEPTH_MAX ? [form[1] ?? '', ...inner] : [name];
}

function set(branch: Branch, [key = '', ...rest]: readonly string[], value: string): void {
  const own = key === '' ? String(branch.next) : key;
  if (isIndex(own)) branch.next = Math.max(branch.next, Number(own) + 1);
  if (rest.length === 0) {
    branch.values.set(own, value);
    return;
  }
  const former = branch.values.get(own);
  const inner = typeof former === 'object' ? former : newBranch();
  branch.values.set(own, inner);
  set(inner, rest, value);
}

const isIndex = (key: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(key);

const valueFrom = (value: string | Branch): unknown => {
  if (typeof value === 'string') return value;
  const { values } = value;
  return [...values.keys()].every(isIndex) ? [...values.values()].map(valueFrom) : objectFrom(value);
};

const objectFrom = ({ values }: Branch): Params =>
  Object.fromEntries([...values].map(([key, value]) => [key, valueFrom(value)]));
