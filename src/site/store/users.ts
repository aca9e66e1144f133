import { INTEGER_MAX } from '../../contract/limits.ts';
import { invalidParams } from '../http-problem.ts';
import type { StoreDatabase } from './tables.ts';

/** Throws HttpProblem when there is no user with this id. */
export async function assertAuthor(db: StoreDatabase, id: number): Promise<void> {
  const user =
    id > INTEGER_MAX
      ? undefined
      : await db.selectFrom('site.users').select('id').where('id', '=', id).executeTakeFirst();
  if (!user) throw invalidParams('author');
}
