import type { Sent } from '../../request-bytes.ts';
import { IMAGE_BYTES_MAX } from '../store/fetch-images.ts';
import { storeImage } from '../store/uploaded-images.ts';
import { mayUpload } from '../store/rights.ts';
import { callerOfPerson, type AskedEdit } from './editor.ts';

/**
 * What the interface is told of the picture of a form: nothing where it stays; `none` where what was sent cannot be one.
 */
export async function uploadedPicture(
  { db, frame, person }: AskedEdit,
  sent: Sent,
): Promise<{ readonly image?: string } | 'none'> {
  const file = sent.file('image');
  if (!file || file.size === 0) return sent.field('removeImage') === '' ? {} : { image: '' };
  if (file.size > IMAGE_BYTES_MAX || !mayUpload(callerOfPerson(person))) return 'none';
  const id = await storeImage(db, frame.settings, new Uint8Array(await file.arrayBuffer()), file.name);
  return id === undefined ? 'none' : { image: String(id) };
}
