import { createHash } from 'node:crypto';
import type { SourceConfig } from '../../config/config.ts';
import { revealAll } from '../../config/secret.ts';
import type { SiteSetup, SourceSetup } from '../../run/state/context.ts';
import type { FeedAddress, FeedAuth } from '../../run/fetch/fetch-feed.ts';
import type { SharedFetch } from '../../run/fetch/shared-fetch.ts';
import { trafficOf } from '../../run/log/traffic.ts';
import type { DraftSettings } from '../../sync/model/draft.ts';
import type { Policy } from '../../sync/model/plan.ts';

/** A configured source in the form used by the steps of a run. `language` is the site's, for sources without one. */
export function sourceSetup(source: SourceConfig, site: SiteSetup, language: string, fetch: SharedFetch): SourceSetup {
  const address = feedAddress(source);
  return {
    name: source.name,
    site,
    format: source.format,
    address: source.url,
    takeTraffic: trafficOf(site.client),
    fetch: (validators) => fetch(source.name, address, validators),
    draftSettings: (now, siteTimezone) => draftSettings(source, now, siteTimezone),
    policy: (now, venueCoordinates) => policyOf(source, language, now, venueCoordinates),
    isPaused: source.paused,
    settingsHash: settingsHashOf(source),
  };
}

/** A source with other settings to be tried out: it is read from the same place and planned with the new settings. */
export const setupWith = (setup: SourceSetup, source: SourceConfig): SourceSetup => ({
  ...setup,
  draftSettings: (now, siteTimezone) => draftSettings(source, now, siteTimezone),
  policy: (now, venueCoordinates) =>
    policyOf(source, setup.policy(now, venueCoordinates).language, now, venueCoordinates),
  settingsHash: settingsHashOf(source),
});

/** A hash of everything that a plan depends on. Pausing is not part of it, so it does not cause a new plan. */
const settingsHashOf = ({ paused: _paused, ...settings }: SourceConfig): string =>
  createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);

/** The address to fetch a source's feed from. */
export function feedAddress(source: SourceConfig): FeedAddress {
  const auth = authOf(source);
  return { url: source.url, ...(auth === undefined ? {} : { auth }) };
}

/** The configured settings for reading a source's feed at a given time. */
export const draftSettings = (
  { name, window, language, drafts }: SourceConfig,
  now: number,
  siteTimezone: string,
): DraftSettings => ({
  ...drafts,
  source: name,
  window: { from: now - window.pastMs, to: now + window.futureMs },
  siteTimezone,
  language,
  everything: false,
});

const policyOf = (
  { name, was, language: own, authority, missing, hold }: SourceConfig,
  language: string,
  now: number,
  venueCoordinates: boolean,
): Policy => ({
  source: name,
  ...(was === undefined ? {} : { was }),
  now,
  language: own ?? language,
  venueCoordinates,
  authority,
  missing,
  hold,
});

/** The credentials for a source's server; undefined if it needs none. */
export function authOf({ auth: { basic, bearer, headers } }: SourceConfig): FeedAuth | undefined {
  const revealed = revealAll(headers);
  if (!basic && !bearer && Object.keys(revealed).length === 0) return undefined;
  return {
    ...(basic ? { basic: { username: basic.username, password: basic.password.reveal() } } : {}),
    ...(bearer ? { bearer: bearer.reveal() } : {}),
    headers: revealed,
  };
}
