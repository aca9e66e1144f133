/** A time of day as `18:30:00`; null when the text is none. Reads 19:30, 7:30 PM, 7pm, 19.30, 19h30, 19 Uhr and a spreadsheet's fraction of a day. */
export function timeFromText(text: string): string | null {
  const trimmed = text.trim().toLowerCase().replace(/\u202f|\u00a0/g, ' ');
  if (/^0?[.,]\d+$/.test(trimmed)) return clock(...fromFraction(Number(trimmed.replace(',', '.'))));
  const match = /^(\d{1,2})(?:\s*[:.h]\s*(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(?:(a|p)\.?\s?m\.?|uhr|h)?$/.exec(trimmed);
  if (!match) return null;
  const [, hours = '', minutes, seconds = '0', half] = match;
  // A bare number is no time.
  if (minutes === undefined && /^\d+$/.test(trimmed)) return null;
  if (half !== undefined && (Number(hours) < 1 || Number(hours) > 12)) return null;
  return clock(half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0), Number(minutes ?? 0), Number(seconds));
}

/** Whether a time is written with AM or PM. */
export const isTwelveHour = (text: string): boolean => /\d\s*[ap]\.?\s?m\b/i.test(text);

function fromFraction(fraction: number): [number, number, number] {
  const minutes = Math.round(fraction * 1440);
  return [Math.floor(minutes / 60), minutes % 60, 0];
}

function clock(hours: number, minutes: number, seconds: number): string | null {
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return [hours, minutes, seconds].map((part) => String(part).padStart(2, '0')).join(':');
}
