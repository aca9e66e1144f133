import { readArchive, writeArchive, type Member } from '../../src/backup/archive.ts';
import { CONTENTS } from '../../src/backup/manifest.ts';

/** Rewrites the backup `from` with some of its members changed and correct checksums. Returns `target`. */
export async function repacked(
  from: string,
  target: string,
  change: (member: Member & { readonly bytes: Buffer }) => Member | readonly Member[] | undefined,
  also: object = {},
): Promise<string> {
  const members = new Map<string, Buffer[]>();
  await readArchive(from, {
    begin: (name) => void members.set(name, []),
    part: (bytes) => void [...members.values()].at(-1)!.push(Buffer.from(bytes)),
    end: () => undefined,
  });
  const contents = JSON.parse(Buffer.concat(members.get(CONTENTS)!).toString()) as object;
  members.delete(CONTENTS);
  await writeArchive(
    target,
    (async function* () {
      for (const [name, content] of members) {
        const changed = change({ name, content, bytes: Buffer.concat(content) });
        yield* changed === undefined ? [] : [changed].flat();
      }
    })(),
    (sums) => ({
      name: CONTENTS,
      content: [Buffer.from(JSON.stringify({ ...contents, members: Object.fromEntries(sums), ...also }))],
    }),
    0,
  );
  return target;
}
