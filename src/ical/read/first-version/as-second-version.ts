import type { Component } from '../component.ts';
import type { Property } from '../property.ts';
import { ruleFromFirstVersion } from './rule.ts';

/** Whether a VCALENDAR is written in vCalendar 1.0, as mobile phones and organisers do. */
export const isFirstVersion = ({ properties }: Component): boolean =>
  properties.find(({ name }) => name === 'VERSION')?.value.trim() === '1.0';

/** An event of vCalendar 1.0, with its rules and lists rewritten as in iCalendar (RFC 5545). */
export const asSecondVersion = (event: Component): Component => ({
  ...event,
  properties: event.properties.map((property) => REWRITTEN[property.name]?.(property) ?? property),
});

const REWRITTEN: Readonly<Record<string, (property: Property) => Property>> = {
  RRULE: withRule,
  XRULE: (property) => ({ ...withRule(property), name: 'EXRULE' }),
  EXRULE: withRule,
  RDATE: withCommas,
  EXDATE: withCommas,
  // A comma is part of a name, except for programs that separate with commas anyway.
  CATEGORIES: (property) =>
    SEMICOLON.test(property.value)
      ? withCommas({ ...property, value: property.value.replace(/(?<!\\),/g, String.raw`\,`) })
      : property,
};

function withRule(property: Property): Property {
  return { ...property, value: ruleFromFirstVersion(property.value) ?? property.value };
}

function withCommas(property: Property): Property {
  return { ...property, value: property.value.replace(SEMICOLONS, ',') };
}

const SEMICOLON = /(?<!\\);/;
const SEMICOLONS = /(?<!\\);/g;
