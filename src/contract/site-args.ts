import { arg, defaulted, invalid, required, value, type Arg, type Args } from './arg.ts';
import { flag, oneOf } from './arg-kinds.ts';
import { LINE_MAX } from './limits.ts';
import { inLanguage } from './shared-args.ts';

const NO_LINE = invalid(`Expected a text of at most ${LINE_MAX} characters.`);

const anything = (): Arg<string, 'optional'> =>
  arg({}, (raw) => (typeof raw === 'string' && raw.length <= LINE_MAX ? value(raw) : NO_LINE), {
    type: 'string',
    maxLength: LINE_MAX,
  });
/** A number of pixels as PHP casts it: without its sign, and 0 for anything else. */
const pixels = (about: Arg['about'] = {}): Arg<number, 'optional'> =>
  arg(about, (raw) => value(Math.abs(Number.parseInt(String(raw), 10)) || 0), { type: 'integer' });
const address = (description: string) =>
  arg({ type: 'string', format: 'uri', description }, (raw) =>
    typeof raw === 'string' && raw.length <= LINE_MAX ? value(raw) : NO_LINE,
  );

export const siteIndexArgs = { context: defaulted('view', anything()) } satisfies Args;
export const namespaceIndexArgs = {
  namespace: defaulted(({ namespace }) => namespace, anything()),
  context: defaulted('view', anything()),
} satisfies Args;
export const docArgs = { ...inLanguage } satisfies Args;

export const embedArgs = {
  url: required(address('The address of the page to embed')),
  format: defaulted('json', anything()),
  maxwidth: defaulted(600, pixels()),
} satisfies Args;

export const embedProxyArgs = {
  url: required(address('The address of the page to embed')),
  format: defaulted('json', oneOf(['json', 'xml'], { description: 'The format of the answer' })),
  maxwidth: defaulted(600, pixels({ type: 'integer', description: 'The width of the frame at most, in pixels' })),
  maxheight: pixels({ type: 'integer', description: 'The height of the frame at most, in pixels' }),
  discover: defaulted(true, flag({ description: 'Whether providers that are not known may be asked' })),
} satisfies Args;
