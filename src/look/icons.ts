import { html, type Html } from '../html/template.ts';

// Line drawings in a square of 24, in the colour of the text beside them.
const PATHS = {
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zM10 21h4',
  cal: 'M5 6h14v14H5zM5 10h14M9 3v4M15 3v4',
  coin: 'M4 8h16v8H4zM12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4M7 8v8M17 8v8',
  find: 'M11 17a6 6 0 1 0 0-12 6 6 0 0 0 0 12M20 20l-5-5',
  funnel: 'M4 5h16l-6 8v6l-4-2v-4z',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M3 12h18M12 3c-5 5-5 13 0 18 5-5 5-13 0-18',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  loop: 'M4 11a8 8 0 0 1 14-4l2 2M20 4v5h-5M20 13a8 8 0 0 1-14 4l-2-2M4 20v-5h5',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  no: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v6M12 16.5v.1',
  ok: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M8 12l3 3 5-6',
  phone: 'M6 4h4l1 5-2 1c1 2 2.5 3.5 4.5 4.5l1-2 5 1v4c0 1-1 2-2 2C11 19 5 12 5 6c0-1 0-2 1-2z',
  pin: 'M12 21c-4-5-6-8-6-11a6 6 0 0 1 12 0c0 3-2 6-6 11zM12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  share: 'M12 15V4M8 8l4-4 4 4M5 13v7h14v-7',
  tag: 'M4 4h8l8 8-8 8-8-8zM8.5 8.5v.1',
  who: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M5 20c1-4 4-5 7-5s6 1 7 5',
} as const;

/** The name of an icon. */
export type Icon = keyof typeof PATHS;

const USES = Object.fromEntries(
  Object.keys(PATHS).map((name) => [name, html`<svg class="i" aria-hidden="true"><use href="#i-${name}"/></svg>`]),
) as Readonly<Record<Icon, Html>>;

/** An icon, which has to be accompanied by its word. The page contains its drawing once, however often it is used. */
export const icon = (name: Icon): Html => USES[name];

/** Each with the text that occurs in the markup of a page that uses it. */
const SYMBOLS = Object.entries(PATHS).map(
  ([name, path]) =>
    [`#i-${name}"`, html`<symbol id="i-${name}" viewBox="0 0 24 24"><path d="${path}"/></symbol>`] as const,
);

/** The drawings of the icons used in some markup. */
export function spriteFor(markup: string): Html | undefined {
  const used = SYMBOLS.filter(([use]) => markup.includes(use)).map(([, symbol]) => symbol);
  return used.length === 0 ? undefined : html`<svg class="vh" width="0" height="0" aria-hidden="true">${used}</svg>\n`;
}
