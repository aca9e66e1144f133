import type { CategoryPage } from '../../../contract/representation.ts';
import { categoryMarks, MARKED_MAX } from '../../../look/category-mark.ts';
import type { Frame } from './layout.ts';
import type { Read } from './read.ts';

/**
 * Adds the marks of the site's categories to the frame. They are read once for each revision of what events refer to.
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
      // After a failure, the next page tries again.
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
