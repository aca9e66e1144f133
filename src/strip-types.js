// Lets Node.js run this package's TypeScript below node_modules, where it does not do so by itself. The result keeps
// lines and columns, like Node.js's own stripping.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

const own = new URL('.', import.meta.url).href;

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(own) || !url.endsWith('.ts')) return nextLoad(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
    return { format: 'module', source, shortCircuit: true };
  },
});
