import { contentLines, type Section } from './content-lines.ts';
import type { ProblemList } from './problem-list.ts';
import { propertyFromLine, type Property } from './property.ts';

/** A component as written, not interpreted yet. */
export interface Component {
  readonly name: string;
  readonly line: number;
  readonly properties: Property[];
  readonly components: Component[];
}

// These are skipped because no site shows them, so that a hundred thousand attendees or alarms cost nothing.
const UNKEPT_PROPERTIES = new Set(['ATTENDEE', 'REQUEST-STATUS', 'X-MOZ-GENERATION']);
const UNKEPT_COMPONENTS = new Set(['VALARM', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'PARTICIPANT', 'VRESOURCE']);
const TEXT_PROPERTIES = new Set(['DESCRIPTION', 'SUMMARY', 'LOCATION', 'X-ALT-DESC', 'CONTACT']);

/**
 * Parses text into a tree of components. The root holds the top ones: VCALENDARs, or bare VEVENTs if a program omitted
 * the calendar.
 */
export function componentTree(text: string | readonly Section[], problems: ProblemList): Component {
  const root = component('', 0);
  const open: Component[] = [];
  for (const line of contentLines(text)) {
    const top = open.at(-1) ?? root;
    const property = propertyFromLine(line);
    if (property === undefined) takeStrayLine(top, line.text, line.line, problems);
    else if (property.name === 'BEGIN') begin(root, open, property, problems);
    else if (property.name === 'END') end(open, property, problems);
    else if (!UNKEPT_PROPERTIES.has(property.name) && !UNKEPT_COMPONENTS.has(top.name)) top.properties.push(property);
  }
  for (const left of open)
    problems.add('component-not-ended', `The ${left.name} that begins here has no END.`, { line: left.line });
  return root;
}

const component = (name: string, line: number): Component => ({
  name,
  line,
  properties: [],
  components: [],
});

function begin(root: Component, open: Component[], property: Property, problems: ProblemList): void {
  const name = property.value.trim().toUpperCase();
  // Events do not nest, so the first one's END is missing.
  if (name === 'VEVENT' && open.at(-1)?.name === 'VEVENT') {
    problems.add('component-not-ended', 'A VEVENT begins inside another: the first one has no END.', {
      line: property.line,
    });
    open.pop();
  }
  const begun = component(name, property.line);
  (open.at(-1) ?? root).components.push(begun);
  open.push(begun);
}

function end(open: Component[], property: Property, problems: ProblemList): void {
  const name = property.value.trim().toUpperCase();
  const at = open.findLastIndex((candidate) => candidate.name === name);
  const [ended, ...inside] = at < 0 ? [] : open.splice(at);
  if (ended === undefined) {
    problems.add('end-without-begin', `END:${name.slice(0, 40)} has no matching BEGIN.`, { line: property.line });
    return;
  }
  for (const left of inside)
    problems.add('component-not-ended', `The ${left.name} that begins here has no END.`, { line: left.line });
}

/** A line without a property name after a text value continues it; the program wrote the value without folding. */
function takeStrayLine(top: Component, text: string, line: number, problems: ProblemList): void {
  const before = top.properties.at(-1);
  if (before === undefined || !TEXT_PROPERTIES.has(before.name)) {
    if (top.name !== '' && !UNKEPT_COMPONENTS.has(top.name))
      problems.add('line-unreadable', 'This line is not a content line (NAME:value) and was skipped.', { line });
    return;
  }
  top.properties[top.properties.length - 1] = { ...before, value: `${before.value}\\n${text}` };
  problems.add('line-not-folded', `This line has no name; it was read as part of ${before.name}.`, { line });
}

/** A component that may hold events. */
export interface EventHolder {
  readonly component: Component;
  /** The VCALENDAR (RFC 5545, 3.4) that it is or is inside; the first one for components outside all of them. */
  readonly calendar: Component;
}

/**
 * The components that hold events: the root, in case a program omitted the calendar, and the VCALENDARs of a stream,
 * including those inside nested and unknown components.
 */
export function eventHolders(root: Component): readonly EventHolder[] {
  const holders = [...holdersIn(root)];
  const first = holders.find(({ calendar }) => calendar !== root)?.calendar ?? root;
  return holders.map((holder) => (holder.calendar === root ? { ...holder, calendar: first } : holder));
}

function* holdersIn(root: Component): Generator<EventHolder> {
  const waiting: EventHolder[] = [{ component: root, calendar: root }];
  for (let holder = waiting.pop(); holder !== undefined; holder = waiting.pop()) {
    yield holder;
    const { calendar } = holder;
    for (const component of holder.component.components.toReversed())
      if (component.name !== 'VEVENT' && component.name !== 'VTIMEZONE')
        waiting.push({ component, calendar: isCalendar(component) ? component : calendar });
  }
}

/** A VCALENDAR without properties merely encloses another one, or was begun twice. */
const isCalendar = ({ name, properties }: Component): boolean => name === 'VCALENDAR' && properties.length > 0;
