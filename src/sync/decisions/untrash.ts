import type { FieldName } from '../model/fields.ts';
import type { Json, LedgerEntry, SiteEvent, UpdateEvent } from '../model/plan.ts';

/** A field as the site shows it now, and as it was before the trash. */
interface Before {
  readonly field: FieldName;
  readonly from: Json;
  readonly to: Json;
}

interface Untrashing {
  readonly entry: LedgerEntry;
  readonly onSite: SiteEvent;
  /** The status that it gets. */
  readonly status: Json;
  /** Links that the trash has cut. */
  readonly cut: readonly Before[];
  readonly because: string;
}

/** The action that takes an event out of the trash with the links that it had, and the fields that await its answer. */
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
