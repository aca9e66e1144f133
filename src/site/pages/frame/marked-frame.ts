import type { CategoryPage } from '../../../contract/representation.ts';
import { categoryMarks, MARKED_MAX } from '../../../look/category-mark.ts';
import type { Frame } from './layout.ts';
import type { Read } from './read.ts';

/**
 * A frame with the marks of the site's categories, which are read once for all pages of a revision of what events refer
 * to.
 */
export function markedFrames(frame: Frame): (read: Read, revision: string | undefined) => Promise<Frame> {
  let known: { readonly revision: string; readonly marked: Promise<Frame> } | undefined;
  return async (read, revision) => {
    if (revision === undefined) return markedFrame(frame, read);
    if (known?.revision !== revision) known = { revision, marked: markedFrame(frame, read) };
    const asked = known;
    try {
      return await asked.marked;
    } catch (error) {
      // The next page asks again.
      if (known === asked) known = undefined;
      throw error;
    }
  };
}

async function markedFrame(frame: Frame, read: Read): Promise<Frame> {
  const list = await read<CategoryPage>('/categories', {
    per_page: String(MARKED_MAX),
    orderby: 'count',
    order: 'desc',
  });
  return list.ok ? { ...frame, mark: categoryMarks(list.value.categories) } : frame;
}
