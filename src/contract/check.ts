import { readingOf, tooLong, type ArgContext, type Args, type ArgsOf, type Mismatch } from './arg.ts';
import { HTML_MAX } from './limits.ts';
import type { ErrorBody } from './representation.ts';

export type Checked<A extends Args> =
  | { readonly ok: true; readonly args: ArgsOf<A> }
  | { readonly ok: false; readonly error: ErrorBody };

/**
 * Checks raw request values: returns typed arguments, or the error body of a real site. The phases never mix: first
 * missing values, then those a validator refuses, then those of the wrong type. Unknown names are ignored; null counts
 * as missing if required. Overlong texts are refused, even under unknown names.
 */
export function checkArgs<A extends Args>(
  args: A,
  raw: Readonly<Record<string, unknown>>,
  context: ArgContext,
): Checked<A> {
  const names = Object.keys(args);
  const missing = names.filter((name) => args[name]?.presence === 'required' && (raw[name] ?? null) === null);
  if (missing.length > 0) return { ok: false, error: missingParams(missing) };

  const values: Record<string, unknown> = {};
  const refused: Record<string, string> = {};
  const mismatches = overlongTexts(raw);
  for (const name of names) {
    const arg = args[name];
    if (!arg || mismatches[name]) continue;
    const reading = readingOf(arg, raw[name], context);
    if (reading?.kind === 'value') values[name] = reading.value;
    else if (reading?.kind === 'invalid') refused[name] = reading.why;
    else if (reading) mismatches[name] = reading;
  }
  if (Object.keys(refused).length > 0) return { ok: false, error: invalidParams(refused) };
  if (Object.keys(mismatches).length > 0) return { ok: false, error: mistypedParams(mismatches) };
  // Every value came from the parser of its own argument.
  return { ok: true, args: values as ArgsOf<A> };
}

function overlongTexts(raw: Readonly<Record<string, unknown>>): Record<string, Mismatch> {
  const names = Object.keys(raw).filter((name) => isOverlong(raw[name]));
  return Object.fromEntries(names.map((name) => [name, tooLong(HTML_MAX)]));
}

const isOverlong = (given: unknown): boolean => typeof given === 'string' && given.length > HTML_MAX;

const missingParams = (params: readonly string[]): ErrorBody => ({
  code: 'rest_missing_callback_param',
  message: `Missing parameter(s): ${params.join(', ')}`,
  data: { status: 400, params },
});

/** The message and data of a refusal of parameter values, with a sentence about each. */
export const refusedParams = (why: Readonly<Record<string, string>>) => ({
  message: `Invalid parameter(s): ${Object.keys(why).join(', ')}`,
  // Real sites only say the first two words.
  params: Object.fromEntries(Object.entries(why).map(([name, sentence]) => [name, `Invalid parameter. ${sentence}`])),
});

function invalidParams(why: Readonly<Record<string, string>>): ErrorBody {
  const { message, params } = refusedParams(why);
  return { code: 'rest_invalid_param', message, data: { status: 400, params, details: [] } };
}

function mistypedParams(mismatches: Readonly<Record<string, Mismatch>>): ErrorBody {
  const entries = Object.entries(mismatches);
  const details = entries.map(([name, { code, message }]) => [
    name,
    { code, message: message(name), data: code === 'rest_invalid_type' ? { param: name } : null },
  ]);
  return {
    code: 'rest_invalid_param',
    message: `Invalid parameter(s): ${entries.map(([name]) => name).join(', ')}`,
    data: {
      status: 400,
      params: Object.fromEntries(entries.map(([name, { message }]) => [name, message(name)])),
      details: Object.fromEntries(details),
    },
  };
}
