const texts = new WeakMap<object, string>();

/** Writes something as JSON that will be in several answers, so that `jsonOf` need not. Returns how long it is. */
export function writeOnce(value: object): number {
  const text = texts.get(value) ?? JSON.stringify(value);
  texts.set(value, text);
  return text.length;
}

/** An answer as JSON; the events of a page that have been written once are not written again. */
export function jsonOf(body: unknown): string {
  const events = typeof body === 'object' && body !== null && 'events' in body ? body.events : undefined;
  if (!Array.isArray(events)) return JSON.stringify(body);
  const written = (events as readonly object[]).map((event) => texts.get(event));
  if (written.length === 0 || written.includes(undefined)) return JSON.stringify(body);
  const { events: _events, ...rest } = body as { readonly events: unknown };
  const others = JSON.stringify(rest);
  return `{"events":[${written.join(',')}]${others === '{}' ? '' : ','}${others.slice(1)}`;
}
