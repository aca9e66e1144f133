/** Latitude and longitude, with a decimal point or comma, from two cells or the first one; empty unless both are valid. */
export function coordinatesFrom(
  first: string,
  second: string,
): Partial<Readonly<Record<'geo_lat' | 'geo_lng', number>>> {
  const [lat = Number.NaN, lng = Number.NaN] = (PAIR.exec(first)?.slice(1) ?? [first, second]).map((text) =>
    /^-?\d{1,3}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN,
  );
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0) ? { geo_lat: lat, geo_lng: lng } : {};
}

const DEGREES = String.raw`(-?\d{1,3}[.,]\d{1,20})°?`;
/** `52.23, 21.01`, `(52.23; 21.01)`, `52,23 21,01`, `52.23° N, 21.01° E` */
const PAIR = new RegExp(String.raw`^\(?\s*${DEGREES}\s?N?(?:\s?;\s?|,\s|\s|,(?=-?\d+\.))\s?${DEGREES}\s?E?\s*\)?$`);
