/** Descriptions of command arguments, by their names in usages. */
export const ARGUMENTS: Readonly<Record<string, string>> = {
  run: 'its name, the beginning of it, or "last"',
  slug: "the last part of the address of the event's page, or all of it",
  'file-or-slug': "a backup, named with its folder or ending, or the last part of the address of the event's page",
  'former-source': 'a name that was under sources: in the configuration, and is no longer there',
  source: 'a name under sources: in the configuration',
  sources: 'names under sources: in the configuration',
  feed: 'a name under feeds: in the configuration',
  address: 'a web address, a file, or the name of a source',
  file: 'the file to write',
  user: 'the name for signing in',
  receiver: 'a name under receivers: in the alerts of the configuration',
  version: 'the number of a version, as "config" lists them',
  key: 'a key of the configuration, such as sources.NAME.every',
  words: 'a command line, as far as it has been typed',
  application: 'what the program that will use the password is called',
};

/** The slug that the user means; people often copy the whole address of the event's page. */
export const slugNamed = (text: string): string =>
  /^https?:/i.test(text)
    ? (text
        .replace(/[?#].*$/s, '')
        .split('/')
        .findLast((part) => part !== '') ?? text)
    : text;
