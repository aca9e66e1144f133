/** A tree of wanted keys; `true` includes everything below. */
interface Wanted {
  [key: string]: Wanted | true;
}

/**
 * Applies `_fields` to an answer: a comma-separated list (or a list) of keys, dotted for nested objects. As on real
 * sites, a dotted key selects nothing from a list inside an object, and an empty result is an empty list.
 */
export function fieldsOf(body: unknown, fields: unknown): unknown {
  const listed = typeof fields === 'string' ? fields.split(',') : fields;
  const names = (Array.isArray(listed) ? listed : []).map((name) => String(name).trim()).filter((name) => name !== '');
  if (names.length === 0 || !isObject(body)) return body;
  const wanted = wantedFrom(names);
  return Array.isArray(body) ? body.map((one) => (isObject(one) ? pick(one, wanted) : one)) : pick(body, wanted);
}

function wantedFrom(names: readonly string[]): Wanted {
  const root: Wanted = Object.create(null) as Wanted;
  for (const name of names) {
    let at = root;
    const keys = name.split('.');
    for (const [index, key] of keys.entries()) {
      const former = at[key];
      if (former === true) break;
      if (index === keys.length - 1) at[key] = true;
      else at = at[key] = former ?? (Object.create(null) as Wanted);
    }
  }
  return root;
}

function pick(body: object, wanted: Wanted): unknown {
  const entries = Object.entries(body)
    .filter(([key]) => wanted[key] !== undefined)
    .map(([key, value]) => {
      const inner = wanted[key];
      return [key, inner === undefined || inner === true || !isObject(value) ? value : pick(value, inner)];
    });
  return entries.length === 0 ? [] : Object.fromEntries(entries);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
