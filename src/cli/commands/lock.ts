import { startLock, startUnlock } from '../../run/decisions/settle-event.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { commandOf } from '../terminal/command.ts';
import { fieldNamed } from '../terminal/field-named.ts';
import { decideOnEvent } from '../open/decide-on-event.ts';

/**
 * `lock SLUG [--field F] [--off]`: keeps the feed from changing an event, or one of its fields, for as long as the feed
 * has the event.
 */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'lock <slug>',
  stopsItself: true,
  description: 'keep an event as it is on the site, whatever its feed says later',
  example: 'lock summer-fair-abcd1234efgh56 --field title',
  options: [
    ['--field <field>', 'only this field, with those that are decided together with it'],
    ['--off', 'let the feed change it again'],
    REASON,
  ],
  act: async (call) => {
    const [slug] = call.args;
    const field = fieldNamed(call.options['field']);
    const what = field === undefined ? slug : `${field} of ${slug}`;
    const ofField = field === undefined ? '' : ` --field ${field}`;
    const isOff = call.options['off'] === true;
    const start = isOff ? startUnlock : startLock;
    return decideOnEvent(call, slug, {
      start: (context, setup) => start(context, setup, slug, field, askedBy(call)),
      told: (source) =>
        isOff
          ? `Unlocked ${what}: the next run of ${source} compares it with its feed.`
          : `Locked ${what}: "npm run -s calsyncd -- lock ${slug}${ofField} --off" lets the feed change it again.`,
    });
  },
});
