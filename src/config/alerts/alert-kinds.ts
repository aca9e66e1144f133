/** The kinds of alerts, and when each is sent. */
export const ALERT_KINDS = {
  failing: 'a source has failed twice in a row, or for an hour; again on day 3, on day 10, then each week',
  held: 'a run waits for a person; again on day 3, on day 10, then each week',
  conflict: 'feed and site have changed the same event',
  stale: 'a feed reads well, but has had nothing new for much longer than usual, or has no coming events',
  late: 'a source is due and was not read',
  'handed-in': 'authors have submitted events, which wait for an editor; each once',
  suggestions: 'visitors have suggested events, which wait for an editor; each once',
  backup: 'a backup has failed; again on day 3, on day 10, then each week',
  recovered: 'something this receiver was notified of is over',
  digest: 'once a day, what happened and what waits',
} as const;

export type AlertKind = keyof typeof ALERT_KINDS;

export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as readonly AlertKind[];

/** The channels to a receiver; each is the key of the configuration that holds its address. */
export const ALERT_CHANNELS = ['mail', 'ntfy', 'webhook', 'slack', 'teams'] as const;

export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** What people submit for an editor's review, which belongs to no source. */
export const SUBMISSION_KINDS = ['handed-in', 'suggestions'] as const;

export type SubmissionKind = (typeof SUBMISSION_KINDS)[number];
