import { html, type Html } from '../../html/template.ts';
import { dayAfter, wallFromInstant } from '../../time.ts';
import { momentFrom } from '../../run/watch/moments.ts';
import type { PauseWish } from '../../run/watch/pauses.ts';
import { REASON_MAX, reasonIn } from '../frame/actor.ts';
import type { Asked, Sent } from '../frame/operator.ts';

const CHOICES = [
  ['tomorrow', 'tomorrow'],
  ['3d', 'in three days'],
  ['1w', 'in a week'],
  ['4w', 'in four weeks'],
  ['', 'somebody resumes it'],
] as const;

/**
 * The fields for how long to pause, or until which day, and why. Browsers reject days in the past, so a typed reason is
 * not lost.
 */
export const pauseFields = ({ now, zoneOf }: Pick<Asked, 'now' | 'zoneOf'>, site: string): Html =>
  html`<label class="small named"
      >Pause until<select class="find" name="until">
        ${CHOICES.map(
          ([value, words]) => html`<option value="${value}" ${value === '1w' && html` selected`}>${words}</option>`,
        )}
      </select></label
    ><label class="small named"
      >or the day<input class="find" type="date" name="day" min="${tomorrow(now, zoneOf(site))}" /></label
    ><input
      class="find"
      name="reason"
      maxlength="${REASON_MAX}"
      aria-label="Reason, for the others"
      placeholder="Reason, for the others"
    />`;

const tomorrow = (now: number, zone: string): string => dayAfter(wallFromInstant(now, zone).slice(0, 10));

/** Reads the fields: `past` if the moment is already over, `unreadable` if it is not a date. */
export function pauseWish(sent: Sent, now: number, zone: string): PauseWish | 'past' | 'unreadable' {
  const wanted = sent.field('day') || sent.field('until');
  const reason = reasonIn(sent);
  if (wanted === '') return { until: null, reason };
  const until = momentFrom(wanted, now, zone);
  if (until === undefined) return 'unreadable';
  return until <= now ? 'past' : { until, reason };
}
