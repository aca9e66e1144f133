/** Raw parameters by name. */
export type Params = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 64;

type Branch = Map<string, string | Branch>;

/**
 * Parses names and values as PHP does: `a[]=1&a[]=2` is a list, `a[b][c]=1` an object in an object; if a name occurs
 * twice, the last value counts. Objects with the keys 0, 1, 2, … are lists.
 */
export function phpParams(pairs: Iterable<readonly [string, string]>): Params {
  const root: Branch = new Map();
  for (const [name, value] of pairs) set(root, keysOf(name), value);
  return objectFrom(root);
}

/** The parameters in a query string or a form's body. */
export const phpParamsFromText = (text: string): Params => phpParams(new URLSearchParams(text));

/** Whether a query string or a form's body has more than `max` pairs, without parsing them. */
export function hasMorePairs(text: string, max: number): boolean {
  let pairs = 1;
  for (let at = text.indexOf('&'); at >= 0 && pairs <= max; at = text.indexOf('&', at + 1)) pairs += 1;
  return pairs > max;
}

/** `a[b][]` → a, b, ''. A name of another form, or nested too deep, is taken as it is. */
function keysOf(name: string): readonly string[] {
  const form = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
  const inner = form?.[2]?.slice(1, -1).split('][') ?? [];
  return form && inner.length <= DEPTH_MAX ? [form[1] ?? '', ...inner] : [name];
}

function set(branch: Branch, [key = '', ...rest]: readonly string[], value: string): void {
  const own = key === '' ? String(branch.size) : key;
  if (rest.length === 0) {
    branch.set(own, value);
    return;
  }
  const former = branch.get(own);
  const inner = former instanceof Map ? former : new Map<string, string | Branch>();
  branch.set(own, inner);
  set(inner, rest, value);
}

const valueFrom = (value: string | Branch): unknown => {
  if (!(value instanceof Map)) return value;
  const isList = [...value.keys()].every((key, index) => key === String(index));
  return isList ? [...value.values()].map(valueFrom) : objectFrom(value);
};

const objectFrom = (branch: Branch): Params =>
  Object.fromEntries([...branch].map(([key, value]) => [key, valueFrom(value)]));
