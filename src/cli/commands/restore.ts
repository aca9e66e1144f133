import { ignoredEvents } from '../../run/state/open-matters.ts';
import { startRestore } from '../../run/decisions/settle-event.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { commandOf } from '../terminal/command.ts';
import { runToEnd } from '../open/decided-run.ts';
import { eventNamed } from '../open/event-named.ts';
import { listMatters } from '../terminal/list-matters.ts';
import { withApp } from '../open/open-context.ts';

/** `restore [SLUG]`: brings back an event that a person removed from the site; without a slug, lists them. */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'restore [slug]',
  stopsItself: true,
  description: 'bring back an event that was removed from the site; without a slug, list them',
  options: [REASON],
  act: async (call) =>
    withApp(call.config, call.io, async (app) => {
      const [slug] = call.args;
      if (slug === undefined)
        return listMatters(
          call,
          'ignored',
          await ignoredEvents(app.state.database.query(), call.io.now()),
          (matter) => `restore ${matter.slug}`,
          'No upcoming event was removed from the site by a person.',
        );
      const { setup } = await eventNamed(app, slug);
      return runToEnd(app, setup, call, () => startRestore(app.context, setup, slug, askedBy(call)));
    }),
});
