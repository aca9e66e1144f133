import { isFieldName, type FieldName } from '../../sync/model/fields.ts';

/** The labels of an event's fields on pages. */
export const FIELD_LABELS: Readonly<Record<FieldName, string>> = {
  title: 'Title',
  start_date: 'Begins',
  end_date: 'Ends',
  timezone: 'Time zone',
  all_day: 'All day',
  description: 'Description',
  excerpt: 'Excerpt',
  status: 'Status',
  website: 'Website',
  image: 'Picture',
  cost: 'Price',
  featured: 'Featured',
  sticky: 'First in month',
  hide_from_listings: 'Hidden in lists',
  show_map: 'Map',
  show_map_link: 'Map link',
  categories: 'Categories',
  tags: 'Tags',
  venue: 'Venue',
  organizer: 'Organizers',
};

/** A field's label within a sentence. */
export const fieldInWords = (field: FieldName): string => FIELD_LABELS[field].toLowerCase();

/** The label of a plan's field, if it has one. */
export const labelOfField = (field: string): string => (isFieldName(field) ? FIELD_LABELS[field] : field);
