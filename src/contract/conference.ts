import type { Event } from './representation.ts';
import { decodeEntities } from '../html/references.ts';

// The interface has no field for online meetings: the address is the website or part of the description. Services are
// recognised by their hosts and the paths of their rooms, so that links to a service's own pages do not count.
const SERVICES: readonly (readonly [name: string, address: RegExp])[] = [
  ['Zoom', /^(?:[\w-]+\.)*zoom(?:gov)?\.(?:us|com)\/(?:j|w|my|s|meeting|webinar)\/./],
  ['Google Meet', /^meet\.google\.com\/[a-z]/],
  ['Microsoft Teams', /^teams\.(?:microsoft|live)\.com\/(?:l\/meetup-join|meet)\/./],
  ['Webex', /^[\w-]+\.webex\.com\/(?:meet|join|[\w-]+\/j\.php|wbxmjs|webappng)/],
  ['Jitsi Meet', /^(?:meet\.jit\.si|8x8\.vc)\/./],
  ['Whereby', /^whereby\.com\/[\w-]/],
  ['GoTo Meeting', /^(?:(?:global|app|meet)\.)?gotomeet(?:ing)?(?:\.com|\.me)\/./],
  ['BigBlueButton', /^[^/]*\b(?:bbb|bigbluebutton)\b[^/]*\/(?:b|rooms)\/./],
  ['Skype', /^join\.skype\.com\/./],
];

/** Longer texts are not web addresses. */
const ADDRESS_MAX = 2_048;

export interface Conference {
  readonly url: string;
  readonly label: string;
}

/**
 * The online meeting of an event: its website, or the first such link in its description; undefined if there is none.
 */
export function conferenceOf({ website, description }: Pick<Event, 'website' | 'description'>): Conference | undefined {
  const links = [
    website,
    ...[...description.slice(0, 100_000).matchAll(/https?:\/\/[^\s"'<>]+/gi)].map(([link]) => link),
  ].filter((link) => link.length <= ADDRESS_MAX);
  for (const link of links) {
    const url = decodeEntities(link).replace(/[.,;:!?)\]]+$/, '');
    const service = SERVICES.find(([, address]) => address.test(url.replace(/^https?:\/\/(?:www\.)?/i, '')));
    if (service) return { url, label: service[0] };
  }
  return undefined;
}
