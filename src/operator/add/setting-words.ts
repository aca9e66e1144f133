import { DEFAULT_FORMAT } from '../../sync/formats/format-kinds.ts';
import type { SettingField } from './settings-fields.ts';

// The labels of settings on pages. Their descriptions come from the declaration.
const LABELS: Readonly<Record<string, string>> = {
  url: 'Address of the feed',
  format: 'Kind of feed',
  every: 'Read it every',
  cron: 'Or read it at fixed times',
  timezone: 'Time zone',
  utc_times: 'Times in UTC',
  paused: 'Paused',
  site: 'Site',
  status: 'New events are',
  language: 'Language',
  authority: 'Where feed and site differ',
  'missing.action': 'An event that is gone is',
  'missing.after': 'Counts as gone after missing from so many readings',
  'hold.share': 'Hold a run that would remove more than',
  'hold.more_than': 'But not one that would remove at most',
  publisher: 'Mail address of the publisher',
  'window.past': 'Past events as far back as',
  'window.future': 'Coming events as far ahead as',
  own_feed: 'May read a calendar of this site',
};

const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  format: { [DEFAULT_FORMAT]: 'iCalendar (.ics)', csv: 'table (CSV)' },
  utc_times: { local: 'in the local zone', utc: 'as UTC' },
  status: { publish: 'published', draft: 'drafts', pending: 'pending review', private: 'private' },
  authority: { preserve: 'what a person edited stays', feed: 'the feed wins', site: 'the site wins' },
  'missing.action': {
    trash: 'put into the trash',
    cancel: 'shown as cancelled',
    draft: 'hidden as a draft',
    keep: 'kept',
  },
};
const YES_NO: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

type Named = Pick<SettingField, 'path'>;

/** The label of a setting; undefined if it has none. */
export function settingLabel({ path }: Named): string | undefined {
  const [first, second] = path;
  if (first === 'columns' && second !== undefined) return `Column for the ${second.replaceAll('_', ' ')}`;
  return LABELS[path.join('.')];
}

/** The label of one of a setting's possible values. */
export const choiceWords = ({ path }: Named, choice: string): string =>
  CHOICES[path.join('.')]?.[choice] ?? YES_NO[choice] ?? choice;
