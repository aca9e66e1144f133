import { databaseContents } from '../../feeds/content/exported-contents.ts';
import { forgetEvent, hasEvent, type Forgotten } from '../../feeds/content/forget-event.ts';
import { forgetGoneEvent } from '../../site/store/former-events.ts';
import type { App } from './open-context.ts';
import type { OpenSite } from './open-sites.ts';

type Known = Pick<App, 'state' | 'context'>;

/** Whether a site, or a feed of it, has an event that could be forgotten. */
export const isOnSite = ({ state }: Known, { key, client }: OpenSite, slug: string): Promise<boolean> =>
  hasEvent({ client: client(), contents: databaseContents(state.database, key) }, slug);

/**
 * Forgets an event that should not have been published: on a site, in what its page says afterwards, and for
 * subscribers.
 */
export const forgetOnSite = (
  { state, context }: Known,
  { key, client, isBuiltin }: OpenSite,
  slug: string,
): Promise<Forgotten | undefined> =>
  forgetEvent(
    {
      client: client(),
      contents: databaseContents(state.database, key),
      ...(isBuiltin && { forgetPage: (page: string) => forgetGoneEvent(state.database.query(), page) }),
    },
    slug,
    context.now(),
  );
