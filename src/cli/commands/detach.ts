import { startAttach, startDetach } from '../../run/decisions/detach-event.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { commandOf } from '../terminal/command.ts';
import { runToEnd } from '../open/decided-run.ts';
import { eventNamed } from '../open/event-named.ts';
import { withApp } from '../open/open-context.ts';

/** `detach SLUG [--off]`: an event becomes a person's own, which its source neither changes nor removes. */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'detach <slug>',
  stopsItself: true,
  description: 'make an event your own: it stays, and its source neither changes nor removes it',
  options: [['--off', 'give it back to its source, which writes what its feed says'], REASON],
  act: async (call) => {
    const [slug] = call.args;
    const isOff = call.options['off'] === true;
    const start = isOff ? startAttach : startDetach;
    return withApp(call.config, call.io, async (app) => {
      const { setup } = await eventNamed(app, slug);
      return runToEnd(
        app,
        setup,
        call,
        () => start(app.context, setup, slug, askedBy(call)),
        () =>
          isOff
            ? `${slug} belongs to ${setup.name} again.`
            : `${slug} is your own: "detach ${slug} --off" gives it back to ${setup.name}.`,
      );
    });
  },
});
