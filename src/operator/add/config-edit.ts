import { html, type Html } from '../../html/template.ts';
import { banner } from '../frame/parts.ts';
import { readFile } from 'node:fs/promises';
import type { AboutChange } from '../../config/change/config-store.ts';
import { refusedByForms } from '../../config/change/form-limits.ts';
import { hashOf, whyReadOnly } from '../../config/change/write-file.ts';
import { rawIn } from '../../config/splice/raw.ts';
import type { Spliced } from '../../config/splice/splice.ts';
import type { Problem } from '../../problem.ts';
import { actorOf } from '../frame/actor.ts';
import type { Asked, CheckedConfig, Operator } from '../frame/operator.ts';

/** The configuration file as it is now. */
export interface FileNow {
  readonly text: string;
  readonly hash: string;
  /** Why the file cannot be written, worded as the end of a sentence. */
  readonly readOnly: string | undefined;
}

export async function fileNow({ config }: Pick<Operator, 'config'>): Promise<FileNow> {
  const { file } = config();
  const bytes = await readFile(file);
  return { text: bytes.toString('utf8'), hash: hashOf(bytes), readOnly: await whyReadOnly(file) };
}

/** The file as it would be after a change. */
export type Edit =
  | {
      readonly kind: 'edit';
      readonly text: string;
      readonly before: string;
      readonly hash: string;
      readonly checked: CheckedConfig;
      readonly readOnly: string | undefined;
      /** Doubts and warnings that the file did not have before the change. */
      readonly remarks: readonly Problem[];
    }
  | { readonly kind: 'byHand'; readonly because: string };

/** The file after a change, checked like the `check` command does. */
export async function editOf(operator: Operator, splice: (text: string) => Spliced): Promise<Edit> {
  const { text: before, hash, readOnly } = await fileNow(operator);
  const spliced = splice(before);
  if (spliced.kind === 'byHand') return spliced;
  // Tested before parsing, whose messages might reveal secrets.
  const refused = refusedByForms(rawIn(before), rawIn(spliced.text), operator.config());
  if (refused.length > 0) {
    const checked = { problems: refused, doubts: [], warnings: [] };
    return { kind: 'edit', text: spliced.text, before, hash, checked, readOnly, remarks: [] };
  }
  const checked = operator.check(spliced.text);
  const old = operator.check(before);
  const known = new Set([...old.doubts, ...old.warnings].map(({ message }) => message));
  const remarks = [...checked.doubts, ...checked.warnings].filter(({ message }) => !known.has(message));
  return { kind: 'edit', text: spliced.text, before, hash, checked, readOnly, remarks };
}

/** The result of trying to save a change. */
export type Saved =
  | { readonly kind: 'saved' }
  | { readonly kind: 'wrong'; readonly problems: readonly Problem[] }
  | { readonly kind: 'byHand' | 'readOnly'; readonly because: string }
  /** Someone else has saved the file in the meantime. */
  | { readonly kind: 'edited' };

/** Writes a change into the file and records who made it. */
export async function save(asked: Asked, splice: (text: string) => Spliced, about: AboutChange): Promise<Saved> {
  const { operator } = asked;
  const edit = await editOf(operator, splice);
  if (edit.kind === 'byHand') return edit;
  if (!edit.checked.value) return { kind: 'wrong', problems: edit.checked.problems };
  const saved = await operator.configFile.save(edit.text, edit.hash, actorOf(asked), about);
  if (saved.kind === 'broken') return { kind: 'wrong', problems: saved.problems };
  if (saved.kind === 'read-only') return { kind: 'readOnly', because: saved.reason };
  return { kind: saved.kind };
}

const LOOK_EVERY_MS = 100;
const LOADED_MS_MAX = 8_000;

/** Waits until a change of the file is in force in this process; false if it takes too long or the file is broken. */
export async function untilLoaded(
  { config }: Operator,
  isThere: (config: ReturnType<Operator['config']>) => boolean,
): Promise<boolean> {
  for (let waited = 0; waited < LOADED_MS_MAX; waited += LOOK_EVERY_MS) {
    if (isThere(config())) return true;
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS);
    });
  }
  return false;
}

/** A banner that explains why the file was not changed. */
export function whyNotSaved(saved: Exclude<Saved, { readonly kind: 'saved' }>): Html {
  if (saved.kind === 'edited')
    return banner(
      'warn',
      html`<p><b>Nothing was saved:</b> somebody else has just changed the file. Look at it again, then save.</p>`,
      true,
    );
  if (saved.kind === 'wrong')
    return banner('bad', html`<p><b>Nothing was saved:</b> ${saved.problems[0]?.message}</p>`, true);
  return banner('bad', html`<p><b>Nothing was saved:</b> ${saved.because}</p>`, true);
}
