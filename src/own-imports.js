// @ts-check
// Saves Node.js work for each of thousands of imports: a source file of this package imports others by relative path
// and full name, and they are TypeScript modules. This makes starts a tenth faster.
import { registerHooks } from 'node:module';

const own = new URL('.', import.meta.url).href;

/**
 * The target of a relative import of another source file; everything else is left to Node.js.
 * @type {import('node:module').ResolveHookSync}
 */
const resolve = (specifier, context, nextResolve) =>
  specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL?.startsWith(own)
    ? { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
    : nextResolve(specifier, context);

registerHooks({ resolve });
