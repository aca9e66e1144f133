import { expect, it } from 'vitest';
import { notACalendar } from '../../../src/ical/read/not-a-calendar.ts';

it.each([
  ['BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', null],
  ['\uFEFFbegin:vcalendar\nend:vcalendar', null],
  ['<br /><b>Warning</b>: something\nBEGIN:VCALENDAR\nEND:VCALENDAR\n<!-- cached -->', null],
  ['BEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR', null],
  ['BEGIN:VEVENT\nUID:a\nEND:VEVENT\n', null],
  ['BEGIN:VCALENDAR\rBEGIN:VEVENT\rEND:VEVENT\rEND:VCALENDAR\r', null],
  ['', /empty/],
  ['  \r\n', /empty/],
  ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\n', /cut off/],
  ['BEGIN:VCALENDAR\nEND:VCALENDAR\nBEGIN:VCALENDAR\nBEGIN:VEVENT\n', /cut off/],
  ['BEGIN:VCALENDAR\nDESCRIPTION:see END:VCALENDAR\n', /cut off/],
  ['BEGIN:VEVENT\nEND:VEVENT\nBEGIN:VEVENT\nUID:b\n', /not a calendar/],
  ['<!DOCTYPE html><html><title>Sign in</title><form><input type="password"></form></html>', /login page/],
  ['<html><head><title>Our events</title></head></html>', /web page \("Our events"\)/],
  ['<html><pre>BEGIN:VCALENDAR\nEND:VCALENDAR\n</pre></html>', /web page/],
  ['{"error":"not found"}', /JSON/],
  ['["vcalendar",[],[]]', /jCal.*accept=jcal/],
  ['[\n  ["vcalendar",[],[]],\n  ["vcalendar",[],[]]]', /jCal/],
  ['[{"title":"Jazz"}]', /JSON/],
  ['<?xml version="1.0"?><icalendar/>', /xCal/],
  ['<?xml version="1.0"?>\n<!-- Town -->\n<xc:icalendar xmlns:xc="urn:ietf:params:xml:ns:icalendar-2.0"/>', /xCal/],
  ['<?xml version="1.0"?><rss version="2.0"><channel/></rss>', /feed of news/],
  ['<feed xmlns="http://www.w3.org/2005/Atom"/>', /feed of news/],
  ['<?xml version="1.0"?><events/>', /XML/],
  ['<?xml version="1.0"?><!DOCTYPE html><html><head><title>Our events</title></head></html>', /web page/],
  ['BEGIN:VCARD\nEND:VCARD', /vCard/],
  ['Too many requests', /no BEGIN:VCALENDAR/],
])('says whether %j is a calendar, and if not, what it is', (text, reason) => {
  expect(notACalendar(text) ?? 'whole').toMatch(reason ?? /^whole$/);
});
