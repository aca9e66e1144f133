import { expect, test } from 'vitest';
import { publicHost } from '../../../src/cli/web/event-origins.ts';

test.each([
  ['https://www.city-library.example/events.ics?key=secret', 'city-library.example'],
  ['webcal://calendar.example/a', 'calendar.example'],
  ['http://user:secret@town.example:8080/', 'town.example'],
  // Visitors are shown nothing that only the operator's network knows.
  ['file:samples/library.ics', undefined],
  ['https://192.0.2.1/events.ics', undefined],
  ['https://[::1]/events.ics', undefined],
  ['https://intranet/events.ics', undefined],
  ['https://nas.local/events.ics', undefined],
  ['https://calendar.corp.internal/a', undefined],
  ['nonsense', undefined],
])('for events from %s, visitors are shown %s', (url, host) => expect(publicHost(url)).toBe(host));
