import { describe, expect, test } from 'vitest';
import { firstScreen, headline } from '../../../src/cli/open/tell-start.ts';
import { loadConfig } from '../../../src/config.ts';

const publicUrl = 'http://127.0.0.1:8080';
const builtin = { name: 'town', home: `${publicUrl}/`, isBuiltin: true };
const campus = { name: 'campus', home: 'https://campus.example/', isBuiltin: false };
const club = { name: 'club', home: 'https://club.example/', isBuiltin: false };
const { value: config } = loadConfig({ path: 'config/calsyncd.yaml', env: {} });
if (!config) throw new Error('the sample is not right');
const BOTH = { serves: true, syncs: true };
const addressesIn = (screen: string): readonly string[] =>
  screen
    .split('\n')
    .filter((line) => /https?:\/\/\S+$/.test(line) && !line.includes('preview'))
    .map((line) => line.replace(/ {2,}/, ': '));

describe('the first screen', () => {
  test('names every site, and the pages of the built-in one', () => {
    expect(addressesIn(firstScreen(config, { sites: [campus, builtin, club], publicUrl }, BOTH, undefined))).toEqual([
      `The calendar: ${publicUrl}/`,
      `Its REST API: ${publicUrl}/api/`,
      'The site campus: https://campus.example/',
      'The site club: https://club.example/',
      `Feeds: ${publicUrl}/feeds/`,
      `The console: ${publicUrl}/operator/`,
      `Writing by hand: ${publicUrl}/edit`,
      `Your passwords: ${publicUrl}/authorize`,
    ]);
  });

  test('does not mention a built-in calendar if there is none', () => {
    expect(addressesIn(firstScreen(config, { sites: [campus], publicUrl }, BOTH, undefined))).toEqual([
      'The site: https://campus.example/',
      `Feeds: ${publicUrl}/feeds/`,
      `The console: ${publicUrl}/operator/`,
    ]);
  });

  test('of a process that only serves says how to create the first administrator', () => {
    const screen = firstScreen(config, { sites: [builtin], publicUrl }, { serves: true, syncs: false }, 'missing');
    expect(screen).toContain(
      'Nobody can sign in yet. To create the first administrator: npm run -s calsyncd -- password admin --account --role administrator\n',
    );
    expect(screen).toContain('This process only serves.');
    expect(screen).not.toMatch(/samples|first runs/);
  });

  test('of a process that only syncs names no address of its own, and leaves no second empty line', () => {
    const screen = firstScreen(config, { sites: [builtin], publicUrl }, { serves: false, syncs: true }, undefined);
    expect(addressesIn(screen)).toEqual([]);
    expect(screen).toMatch(/^\S/);
  });

  test('does not mention the samples to those who have feeds of their own', () => {
    const own = {
      ...config,
      sources: config.sources.map((source, index) =>
        index === 0 ? { ...source, url: 'https://library.example/events.ics' } : source,
      ),
    };
    expect(firstScreen(own, { sites: [builtin], publicUrl }, BOTH, undefined)).not.toContain('sample');
    expect(firstScreen({ ...config, sources: [] }, { sites: [builtin], publicUrl }, BOTH, undefined)).toContain(
      'There are no sources yet. To add a feed of your own, choose "Add a source" in the console, or:',
    );
    expect(headline(own)).toBe('calsyncd keeps "Town calendar" in step with 3 sources of config/calsyncd.yaml\n\n');
  });
});
