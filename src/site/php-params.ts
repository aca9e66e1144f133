/** Raw parameters by name. */
export type Params = Readonly<Record<string, unknown>>;

const PAIRS_MAX = 5000;
const DEPTH_MAX = 8;

type Branch = Map<string, string | Branch>;

/**
 * Names and values as PHP reads them: `a[]=1&a[]=2` is a list, `a[b][c]=1` an object of objects; of a name that comes twice the
 * last one counts. Lists are what has the keys 0, 1, 2, …
 */
export function phpParams(pairs: Iterable<readonly [string, string]>): Params {
  const root: Branch = new Map();
  let count = 0;
  for (const [name, value] of pairs) {
    count += 1;
    if (count > PAIRS_MAX) break;
    set(root, keysOf(name), value);
  }
  return objectFrom(root);
}

/** The pairs of a query string or of a form's body. */
export const phpParamsFromText = (text: string): Params => phpParams(new URLSearchParams(text));

/** `a[b][]` → a, b, ''. What does not fit the form is part of the name. */
function keysOf(name: string): readonly string[] {
  const form = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
  if (!form) return [name];
  return [form[1] ?? '', ...(form[2] ?? '').slice(1, -1).split('][').slice(0, DEPTH_MAX)];
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

const objectFrom = (branch: Branch): Params => Object.fromEntries([...branch].map(([key, value]) => [key, valueFrom(value)]));
