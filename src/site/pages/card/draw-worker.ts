import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { Resvg } from '@resvg/resvg-js';

// Draws images in a separate thread, as each takes a tenth of a second.

const FONT = fileURLToPath(new URL('card-font.ttf', import.meta.url));

parentPort?.on('message', (svg: string) => {
  const picture = new Resvg(svg, {
    font: { fontFiles: [FONT], loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' },
    logLevel: 'off',
  });
  parentPort?.postMessage(picture.render().asPng());
});
