/**
 * Colours, sizes and faces of the public pages and of the console, as CSS. One value is the operator's: `--brand`, any
 * colour; all others follow. Plain values come first, for older browsers (light only); then those that follow, light and
 * dark in one go. A page may force a side with `data-theme` on its root.
 */
export const TOKENS = `:root {
  --brand: #0b5b6b;

  --accent: #0b5b6b;       /* links, primary buttons, today */
  --accent-ink: #fff;   /* text on --accent */
  --deep: #0a4452;         /* the band at the top and dark panels: white reads on it, light or dark */
  --deep-ink-2: #cfe0e4;   /* second voice on --deep; the first is white */
  --tint: #e6f0f2;         /* a wash of the accent: chosen, hover, today's row */
  --tint-2: #cfe2e6;       /* stronger: bars, hover on a wash */
  --surface: #fff;      /* page and cards */
  --surface-2: #f3f5f6;    /* wells, side panels, table heads */
  --ink: #16191b;          /* text */
  --ink-2: #555d61;        /* second voice, still AA on both surfaces and on --tint */
  --line: #dde2e4;         /* hairlines */
  --edge: #848d91;         /* borders of controls: 3:1 against both surfaces */
  --good: #17693a; --good-bg: #e3f3e8;
  --warn: #835000; --warn-bg: #fbf0da;
  --bad:  #ae1f28; --bad-bg:  #fbe8e7;
  --info: #22569c; --info-bg: #e6eefa;
  --shade: 0 1px 2px rgb(10 20 24 / .06), 0 6px 20px rgb(10 20 24 / .1);

  --radius: .5rem;         /* cards; controls use it too; pills are 2rem */
  --space-1: .25rem; --space-2: .5rem; --space-3: .75rem;
  --space-4: 1.25rem; --space-5: 2rem; --space-6: 3.5rem;

  --text-1: .8125rem;      /* captions, tags, table heads */
  --text-2: .9375rem;      /* controls, second lines; the console's body */
  --text-3: 1.0625rem;     /* body of public pages, titles in dense lists */
  --text-4: 1.3125rem;     /* card titles, h3, lead */
  --text-5: clamp(1.5rem, 1.35rem + .7vw, 1.875rem);  /* h2, a day's number */
  --text-6: clamp(2rem, 1.55rem + 2.2vw, 3.125rem);   /* h1 */

  --sans: system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, P052, "Noto Serif", Georgia, serif;
  --mono: ui-monospace, Menlo, monospace;
}
@supports (color: light-dark(oklch(from red l c h), red)) {
  :root {
    color-scheme: light dark;
    /* lightness is clamped, so that a yellow or a navy brand reads as well as this one */
    --accent: light-dark(oklch(from var(--brand) min(l, .47) c h), oklch(from var(--brand) clamp(.78, l, .86) min(c, .13) h));
    --accent-ink: light-dark(#fff, oklch(from var(--brand) .19 min(c, .04) h));
    --deep: light-dark(oklch(from var(--brand) min(l, .36) c h), oklch(from var(--brand) .27 min(c, .06) h));
    --deep-ink-2: oklch(from var(--brand) .89 min(c, .03) h);
    --tint: light-dark(oklch(from var(--brand) .955 min(c, .022) h), oklch(from var(--brand) .285 min(c, .035) h));
    --tint-2: light-dark(oklch(from var(--brand) .9 min(c, .04) h), oklch(from var(--brand) .36 min(c, .05) h));
    --surface: light-dark(#fff, oklch(from var(--brand) .195 min(c, .01) h));
    --surface-2: light-dark(oklch(from var(--brand) .972 min(c, .005) h), oklch(from var(--brand) .235 min(c, .012) h));
    --ink: light-dark(oklch(from var(--brand) .205 min(c, .012) h), oklch(from var(--brand) .955 min(c, .006) h));
    --ink-2: light-dark(oklch(from var(--brand) .455 min(c, .016) h), oklch(from var(--brand) .775 min(c, .014) h));
    --line: light-dark(oklch(from var(--brand) .905 min(c, .009) h), oklch(from var(--brand) .335 min(c, .014) h));
    --edge: light-dark(oklch(from var(--brand) .63 min(c, .014) h), oklch(from var(--brand) .58 min(c, .014) h));
    --good: light-dark(#17693a, #7fd6a0); --good-bg: light-dark(#e3f3e8, #14301f);
    --warn: light-dark(#835000, #f0bd66); --warn-bg: light-dark(#fbf0da, #35270b);
    --bad:  light-dark(#ae1f28, #ff9d98); --bad-bg:  light-dark(#fbe8e7, #431d1d);
    --info: light-dark(#22569c, #9cc3f8); --info-bg: light-dark(#e6eefa, #1a2b45);
  }
  :root[data-theme=light] { color-scheme: light; }
  :root[data-theme=dark] { color-scheme: dark; }
}
`;
