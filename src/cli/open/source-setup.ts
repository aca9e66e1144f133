import { createHash } from 'node:crypto';
import type { SourceConfig } from '../../config/config.ts';
import { revealAll } from '../../config/secret.ts';
import type { SiteSetup, SourceSetup } from '../../run/state/context.ts';
import type { FeedAddress, FeedAuth } from '../../run/fetch/fetch-feed.ts';
import type { SharedFetch } from '../../run/fetch/shared-fetch.ts';
import { trafficOf } from '../../run/log/traffic.ts';
import type { DraftSettings } from '../../sync/model/draft.ts';
import type { Policy } from '../../sync/model/plan.ts';

/** A configured source in the form that the steps of a run use. `language` is the site's, for sources without one. */
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

/** A source of which other settings are tried: read from where it is read, and planned with theirs. */
export const setupWith = (setup: SourceSetup, source: SourceConfig): SourceSetup => ({
  ...setup,
  draftSettings: (now, siteTimezone) => draftSettings(source, now, siteTimezone),
  policy: (now, venueCoordinates) =>
    policyOf(source, setup.policy(now, venueCoordinates).language, now, venueCoordinates),
  settingsHash: settingsHashOf(source),
});

/** Changes with everything that a plan depends on: a source that was paused is not planned anew for that. */
const settingsHashOf = ({ paused: _paused, ...settings }: SourceConfig): string =>
  createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);

/** Where to fetch a source's feed. */
export function feedAddress(source: SourceConfig): FeedAddress {
  const auth = authOf(source);
  return { url: source.url, ...(auth === undefined ? {} : { auth }) };
}

/** What the configuration says about reading a source's feed at the given time. */
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
