import type { Image } from '../../contract/event-parts.ts';
import { safeElement } from '../../html/link.ts';
import { html, type Html } from '../../html/template.ts';
import type { Sent } from '../../request-bytes.ts';
import { IMAGE_BYTES_MAX } from '../store/fetch-images.ts';
import { imagesOf } from '../store/linked-list.ts';
import { representImage } from '../store/represent-post.ts';
import { mayUpload } from '../store/rights.ts';
import { storeImage } from '../store/uploaded-images.ts';
import { callerOfPerson, type AskedEdit } from './editor.ts';

/**
 * What a form says about its image. A chosen image is stored, because browsers do not keep files in forms that are
 * shown again.
 */
export type SentPicture =
  | { readonly kind: 'stays' | 'removed' }
  | { readonly kind: 'chosen'; readonly image: Image }
  /** The file sent cannot be used; `image` was chosen before. */
  | { readonly kind: 'refused'; readonly image?: Image | undefined };

export async function sentPicture(asked: AskedEdit, sent: Sent): Promise<SentPicture> {
  const file = sent.file('image');
  if (file && file.size > 0) {
    const image = await storedPicture(asked, file);
    return image ? { kind: 'chosen', image } : { kind: 'refused', image: await chosenBefore(asked, sent) };
  }
  if (sent.field('removeImage') !== '') return { kind: 'removed' };
  const image = await chosenBefore(asked, sent);
  return image ? { kind: 'chosen', image } : { kind: 'stays' };
}

/** The interface's parameter for the image. */
export function pictureParam(picture: SentPicture): { readonly image?: string } {
  if (picture.kind === 'removed') return { image: '' };
  return picture.kind === 'chosen' ? { image: String(picture.image.id) } : {};
}

async function storedPicture({ db, frame, person }: AskedEdit, file: File): Promise<Image | undefined> {
  if (file.size > IMAGE_BYTES_MAX || !mayUpload(callerOfPerson(person))) return undefined;
  const id = await storeImage(db, frame.settings, new Uint8Array(await file.arrayBuffer()), file.name);
  return id === undefined ? undefined : imageWith({ db, frame }, id);
}

/** The image that was chosen before the form was shown again. */
async function chosenBefore({ db, frame, person }: AskedEdit, sent: Sent): Promise<Image | undefined> {
  const id = sent.field('chosenImage');
  return /^[1-9]\d{0,8}$/.test(id) && mayUpload(callerOfPerson(person))
    ? imageWith({ db, frame }, Number(id))
    : undefined;
}

async function imageWith({ db, frame }: Pick<AskedEdit, 'db' | 'frame'>, id: number): Promise<Image | undefined> {
  const row = (await imagesOf(db, [{ image_id: id }])).get(id);
  return row && representImage(row, frame.settings);
}

/** The image part of a form: the current or chosen one, and the field for another. */
export function pictureField(
  { words, person }: AskedEdit,
  stored: Image | undefined,
  sent: SentPicture = { kind: 'stays' },
): Html | false {
  const chosen = 'image' in sent ? sent.image : undefined;
  const image = chosen ?? stored;
  if (!mayUpload(callerOfPerson(person))) return image !== undefined && shown(image);
  const isRefused = sent.kind === 'refused';
  return html`<fieldset class="card"><legend>${words.groups.picture}</legend>
${
  image &&
  html`${shown(image)}
${chosen && html`<input type="hidden" name="chosenImage" value="${chosen.id}"><p>${words.pictureKept}</p>`}
<label class="chip"><input type="checkbox" name="removeImage" value="yes"${sent.kind === 'removed' && html` checked`}>${words.removePicture}</label>`
}
<div class="field"><label for="image">${words.fields.image}</label>
<input id="image" type="file" name="image" accept="image/jpeg,image/png,image/gif,image/webp,image/avif" aria-describedby="${
    isRefused ? 'image-fault image-hint' : 'image-hint'
  }"${isRefused && html` aria-invalid="true"`}>
${isRefused && html`<p class="no" id="image-fault">${words.faults.noPicture}</p>`}
<p class="dim" id="image-hint"><small>${words.hints.image}</small></p></div></fieldset>`;
}

const shown = ({ url }: Image): Html =>
  html`${safeElement('img', { src: url, alt: '', width: 240, height: 150, loading: 'lazy' })}`;
