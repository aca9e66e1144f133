/** The section of the changelog for a version, without its heading. */
export interface News {
  readonly version: string;
  readonly text: string;
}

/**
 * The changes of the versions after `before`, up to `now`, the latest first; only those of `now` if `before` is
 * unknown.
 */
export function newsSince(changelog: string, before: string | undefined, now: string): readonly News[] {
  return sectionsOf(changelog).filter(
    ({ version }) =>
      compareVersions(version, now) <= 0 &&
      (before === undefined ? version === now : compareVersions(version, before) > 0),
  );
}

function sectionsOf(changelog: string): readonly News[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [, version, text] = /^(\d+\.\d+\.\d+)[^\n]*\n([\s\S]*)$/.exec(section) ?? [];
      return version === undefined || text === undefined ? [] : [{ version, text: text.trim() }];
    });
}

/** Negative if the first version is the earlier one. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one.split('.').map(Number), other.split('.').map(Number)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
