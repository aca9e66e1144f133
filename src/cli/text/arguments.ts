/** What the arguments of commands are, by the names that their usages have. */
export const ARGUMENTS: Readonly<Record<string, string>> = {
  run: 'its name, the first letters of it, or "last"',
  slug: "the last part of the address of the event's page",
  source: 'a name under sources: in the configuration',
  sources: 'names under sources: in the configuration',
  feed: 'a name under feeds: in the configuration',
  address: 'a web address, a file, or the name of a source',
  file: 'the file to write',
  shell: 'bash, zsh or fish',
  user: 'the name for signing in',
  application: 'what the program that will use the password is called',
};
