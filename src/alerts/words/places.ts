/** The pages that messages link to; `base` is the address of this program, without a trailing slash. */
export const places = (base: string) => ({
  toDo: `${base}/operator/`,
  sources: `${base}/operator/sources/`,
  source: (name: string) => `${base}/operator/sources/${encodeURIComponent(name)}/`,
  review: (run: string) => `${base}/operator/runs/${encodeURIComponent(run)}/`,
  conflicts: (source: string) => `${base}/operator/conflicts/?source=${encodeURIComponent(source)}`,
  submissions: `${base}/edit/review/`,
  backups: `${base}/operator/settings/backups/`,
  alerts: `${base}/operator/settings/alerts/`,
});

export type Places = ReturnType<typeof places>;
