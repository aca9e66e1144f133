import type { FieldName } from '../model/fields.ts';
import type { Json, LedgerEntry, SiteEvent, UpdateEvent } from '../model/plan.ts';

/** A field's value now and before the event was trashed. */
interface Before {
  readonly field: FieldName;
  readonly from: Json;
  readonly to: Json;
}

interface Untrashing {
  readonly entry: LedgerEntry;
  readonly onSite: SiteEvent;
  /** The status that the event gets. */
  readonly status: Json;
  /** Links that the trash removed. */
  readonly cut: readonly Before[];
  readonly because: string;
}

/** The action that restores an event from the trash with its former links, and the fields whose answers are pending. */
export function untrash({ entry, onSite, status, cut, because }: Untrashing): {
  readonly action: UpdateEvent;
  readonly pendingFields: readonly FieldName[];
} {
  const written: readonly Before[] = [{ field: 'status', from: onSite.status, to: status }, ...cut];
  return {
    action: {
      kind: 'update',
      resource: 'events',
      slug: entry.slug,
      id: onSite.id,
      title: entry.title,
      fields: Object.fromEntries(written.map(({ field, to }) => [field, to])),
      changes: Object.fromEntries(written.map(({ field, from, to }) => [field, { from, to }])),
      because,
    },
    pendingFields: written.map(({ field }) => field),
  };
}
