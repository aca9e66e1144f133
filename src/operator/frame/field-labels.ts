import { isFieldName, type FieldName } from '../../sync/model/fields.ts';

/** What the fields of an event are called on a page. */
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

/** A label within a sentence. */
export const fieldInWords = (field: FieldName): string => FIELD_LABELS[field].toLowerCase();

/** A field, as its name comes from a plan, as people call it. */
export const labelOfField = (field: string): string => (isFieldName(field) ? FIELD_LABELS[field] : field);
