import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { xmlFromEmbed } from '../../src/site/requests/embed-xml.ts';
import { builtinSite, type TestSite } from '../support/builtin-site.ts';
import { recordedIn, recordingsMissing, type Exchange } from '../support/recordings.ts';

if (recordingsMissing !== null)
  process.stderr.write(`Not run: the recordings are not in ${recordingsMissing} (set CALSYNCD_CORPUS).\n`);

// Differs between any two sites: the provider, the author, the theme and the secret. `html` is compared in parts.
const OWN = ['provider_name', 'provider_url', 'author_name', 'author_url', 'html', 'message'];
const isOembed = ({ request: { path } }: Exchange): boolean => path.includes('/oembed/');

describe.skipIf(recordingsMissing !== null)('recorded oEmbed requests of a real site', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await builtinSite({ publicUrl: 'http://127.0.0.1:8899' });
    await site.ask('administrator', 'POST', '/events', {
      title: 'A jan10 18-20',
      slug: 'a-jan10-18-20',
      start_date: '2027-01-10 18:00',
      end_date: '2027-01-10 20:00',
    });
  });
  afterAll(async () => {
    await site.close();
  });

  const recorded = recordingsMissing === null ? recordedIn('11-oembed').filter(isOembed) : [];
  it.each(recorded.map((exchange) => [exchange.name, exchange] as const))('%s', async (_, { request, response }) => {
    const path = request.path.replace('/wp-json', '/api');
    const isXml = path.includes('format=xml');
    const ours = await site.ask(null, 'GET', isXml ? path.replace('format=xml', 'format=json') : path);
    expect(ours.status).toBe(response.status);
    const theirs = isXml ? elementsOf(String(response.body)) : Object.keys(response.body as object);
    expect(isXml ? elementsOf(xmlFromEmbed(ours.body)) : Object.keys(ours.body)).toEqual(theirs);
    expect(isXml ? null : compared(ours.body)).toEqual(
      isXml ? null : compared(response.body as Readonly<Record<string, unknown>>),
    );
  });

  it('are at least seven', () => expect(recorded.length).toBeGreaterThanOrEqual(7));
});

const elementsOf = (xml: string): readonly string[] => [...xml.matchAll(/<([a-z_]+)>/g)].map(([, name = '']) => name);

function compared(body: Readonly<Record<string, unknown>>): object {
  const html = String(body['html'] ?? '');
  const frame = {
    isQuoted: html.startsWith('<blockquote class="wp-embedded-content"'),
    isLocked: /<iframe sandbox="allow-scripts/.test(html),
    source: /<iframe[^>]* src="[^"]*(\/event\/[^"#]*)/.exec(html)?.[1],
  };
  return { ...Object.fromEntries(Object.entries(body).filter(([key]) => !OWN.includes(key))), frame };
}
