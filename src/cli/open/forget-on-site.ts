import { databaseContents } from '../../feeds/content/exported-contents.ts';
import { forgetEvent, type Forgotten } from '../../feeds/content/forget-event.ts';
import { forgetGoneEvent } from '../../site/store/former-events.ts';
import type { App } from './open-context.ts';
import type { OpenSite } from './open-sites.ts';

/**
 * Takes an event back that should not have been published: from a site, from what its page says of it afterwards, and
 * from subscribers.
 */
export const forgetOnSite = (
  { state, context }: Pick<App, 'state' | 'context'>,
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
