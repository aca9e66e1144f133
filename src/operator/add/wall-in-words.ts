import type { Wall } from '../../time.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A wall time, or a day, as on a poster: "Fri 27 Nov 2026, 20:00". */
export function wallInWords(wall: Wall): string {
  const [year = '', month = '', day = ''] = wall.slice(0, 10).split('-');
  const weekday = DAYS[new Date(`${wall.slice(0, 10)}T00:00:00Z`).getUTCDay()] ?? '';
  const date = `${weekday} ${Number(day)} ${MONTHS[Number(month) - 1] ?? month} ${year}`;
  return wall.length <= 10 ? date : `${date}, ${wall.slice(11, 16)}`;
}
