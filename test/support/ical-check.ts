/**
 * Every violation of RFC 5545 or RFC 7986 in an exported calendar, as "line: what"; [] if it is valid. Covers the parts
 * of the RFCs that the program's calendars use.
 */
export function violationsOf(calendar: Uint8Array): readonly string[] {
  const text = Buffer.from(calendar).toString('utf8');
  const root = componentTree(unfolded(text));
  return [
    ...octetViolations(Buffer.from(calendar)),
    ...(typeof root === 'string' ? [root] : [...componentViolations(root), ...referenceViolations(root)]),
  ];
}

interface Property {
  readonly name: string;
  readonly params: ReadonlyMap<string, string>;
  readonly value: string;
  readonly line: string;
}
interface Component {
  readonly name: string;
  readonly properties: Property[];
  readonly components: Component[];
}

/** RFC 5545, 3.1: content lines. */
function octetViolations(calendar: Buffer): readonly string[] {
  const lines = calendar.toString('latin1').split('\r\n');
  const wrong = lines.slice(0, -1).flatMap((line, index) => {
    const octets = Buffer.from(line, 'latin1');
    return [
      octets.length > 75 ? `${octets.length} octets` : '',
      Buffer.from(octets.toString('utf8')).equals(octets) ? '' : 'a UTF-8 sequence is cut or broken',
      // eslint-disable-next-line no-control-regex
      /[\u0000-\u0008\u000a-\u001f\u007f]/.test(line) ? 'a control character or a bare line end' : '',
    ]
      .filter((what) => what !== '')
      .map((what) => `line ${index + 1}: ${what}`);
  });
  return [
    ...wrong,
    ...(lines[0] === 'BEGIN:VCALENDAR' ? [] : ['does not begin with BEGIN:VCALENDAR']),
    ...(lines.at(-1) === '' && lines.at(-2) === 'END:VCALENDAR' ? [] : ['does not end with END:VCALENDAR and CRLF']),
  ];
}

const unfolded = (text: string): readonly string[] =>
  text
    .replace(/\r\n[ \t]/g, '')
    .split('\r\n')
    .filter((line) => line !== '');

const PARAM = /;([A-Za-z0-9-]+)=((?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)/y;

function propertyOf(line: string): Property | undefined {
  const name = /^[A-Za-z0-9-]+/.exec(line)?.[0];
  if (name === undefined) return undefined;
  const params = new Map<string, string>();
  PARAM.lastIndex = name.length;
  let end = name.length;
  for (let match = PARAM.exec(line); match; match = PARAM.exec(line)) {
    params.set(match[1]!.toUpperCase(), match[2]!.replace(/^"(.*)"$/, '$1'));
    end = PARAM.lastIndex;
  }
  return line[end] === ':' ? { name: name.toUpperCase(), params, value: line.slice(end + 1), line } : undefined;
}

function componentTree(lines: readonly string[]): Component | string {
  const root: Component = { name: '', properties: [], components: [] };
  const open = [root];
  for (const line of lines) {
    const property = propertyOf(line);
    if (!property) return `not a content line: ${line}`;
    if (property.name === 'BEGIN') {
      const component = { name: property.value, properties: [], components: [] };
      open.at(-1)!.components.push(component);
      open.push(component);
    } else if (property.name === 'END') {
      if (open.pop()?.name !== property.value) return `unbalanced: ${line}`;
    } else open.at(-1)!.properties.push(property);
  }
  return open.length === 1 && root.components.length === 1 ? root.components[0]! : 'not exactly one whole calendar';
}

const TEXT = /^(?:[^\\;,]|\\[\\;,nN])*$/;
const TEXT_LIST = /^(?:[^\\;,]|\\[\\;,nN])+(?:,(?:[^\\;,]|\\[\\;,nN])+)*$/;
const UTC = /^\d{8}T\d{6}Z$/;
const LOCAL = /^\d{8}T\d{6}$/;
const URI = /^[a-z][a-z0-9+.-]*:(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/i;
const OFFSET = /^(?:\+|-(?!0000(?:00)?$))\d{4}(?:\d\d)?$/;
const DURATION = /^[+-]?P(?:\d+W|(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/;
const PARAMS_TEXT = ['ALTREP', 'LANGUAGE'];

interface Rule {
  readonly value: RegExp;
  readonly times?: '1' | '?' | '*';
  readonly params?: readonly string[];
  readonly needs?: string;
}

const VALUES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  VCALENDAR: {
    VERSION: { value: /^2\.0$/, times: '1' },
    PRODID: { value: TEXT, times: '1' },
    CALSCALE: { value: /^GREGORIAN$/ },
    METHOD: { value: /^PUBLISH$/ },
    NAME: { value: TEXT, times: '*', params: PARAMS_TEXT },
    DESCRIPTION: { value: TEXT, times: '*', params: PARAMS_TEXT },
    URL: { value: URI },
    'REFRESH-INTERVAL': { value: DURATION, params: ['VALUE'], needs: 'DURATION' },
    SOURCE: { value: URI, params: ['VALUE'], needs: 'URI' },
    COLOR: { value: /^[a-z]+$/i },
    'LAST-MODIFIED': { value: UTC },
    IMAGE: { value: URI, times: '*' },
    CATEGORIES: { value: TEXT_LIST, times: '*' },
  },
  VEVENT: {
    UID: { value: /^(?:[^\\;,]|\\[\\;,nN])+$/, times: '1' },
    DTSTAMP: { value: UTC, times: '1' },
    DTSTART: { value: /./, times: '1', params: ['VALUE', 'TZID'] },
    DTEND: { value: /./, params: ['VALUE', 'TZID'] },
    SEQUENCE: { value: /^\d{1,10}$/ },
    SUMMARY: { value: TEXT, params: PARAMS_TEXT },
    DESCRIPTION: { value: TEXT, params: PARAMS_TEXT },
    LOCATION: { value: TEXT, params: PARAMS_TEXT },
    STATUS: { value: /^(?:TENTATIVE|CONFIRMED|CANCELLED)$/ },
    TRANSP: { value: /^(?:OPAQUE|TRANSPARENT)$/ },
    CLASS: { value: /^PUBLIC$/ },
    CREATED: { value: UTC },
    'LAST-MODIFIED': { value: UTC },
    CATEGORIES: { value: TEXT_LIST, times: '*', params: ['LANGUAGE'] },
    CONTACT: { value: TEXT, times: '*', params: PARAMS_TEXT },
    GEO: { value: /^-?\d+(?:\.\d+)?;-?\d+(?:\.\d+)?$/ },
    URL: { value: URI },
    ORGANIZER: { value: /^mailto:[^\s@,;\\]+@[^\s@,;\\]+$/i, params: ['CN', 'DIR', 'SENT-BY', 'LANGUAGE'] },
    CONFERENCE: { value: URI, times: '*', params: ['VALUE', 'FEATURE', 'LABEL', 'LANGUAGE'], needs: 'URI' },
    ATTACH: { value: URI, times: '*', params: ['FMTTYPE', 'VALUE'] },
    IMAGE: { value: URI, times: '*', params: ['VALUE', 'DISPLAY', 'FMTTYPE', 'ALTREP'], needs: 'URI' },
  },
  VTIMEZONE: { TZID: { value: TEXT, times: '1' }, 'LAST-MODIFIED': { value: UTC }, TZURL: { value: URI } },
  STANDARD: {
    DTSTART: { value: LOCAL, times: '1' },
    TZOFFSETFROM: { value: OFFSET, times: '1' },
    TZOFFSETTO: { value: OFFSET, times: '1' },
    TZNAME: { value: TEXT, times: '*' },
    RRULE: {
      value: /^FREQ=YEARLY;BYMONTH=(?:[1-9]|1[0-2]);BYDAY=-?[1-5](?:SU|MO|TU|WE|TH|FR|SA)(?:;UNTIL=\d{8}T\d{6}Z)?$/,
    },
  },
};
const RULES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = { ...VALUES, DAYLIGHT: VALUES['STANDARD']! };

function componentViolations(component: Component): readonly string[] {
  const rules = RULES[component.name];
  if (!rules) return [`unknown component ${component.name}`];
  const counted = Object.entries(rules).flatMap(([name, { times = '?' }]) => {
    const count = component.properties.filter((property) => property.name === name).length;
    return (times === '1' && count !== 1) || (times === '?' && count > 1)
      ? [`${component.name} has ${count} ${name}`]
      : [];
  });
  const wrong = component.properties
    .filter((property) => !isRight(property, rules[property.name]))
    .map((property) => `${component.name}: ${property.line}`);
  return [...counted, ...wrong, ...component.components.flatMap(componentViolations)];
}

function isRight({ name, params, value }: Property, rule: Rule | undefined): boolean {
  if (!rule)
    return (
      name.startsWith('X-') &&
      (name === 'X-APPLE-STRUCTURED-LOCATION'
        ? /^geo:-?\d+(?:\.\d+)?,-?\d+(?:\.\d+)?$/.test(value)
        : params.get('VALUE') === 'URI'
          ? URI.test(value)
          : TEXT.test(value))
    );
  return (
    rule.value.test(value) &&
    [...params.keys()].every((param) => rule.params?.includes(param)) &&
    (rule.needs === undefined || params.get('VALUE') === rule.needs)
  );
}

/**
 * What cannot be seen in a single line: whether zones are defined, ends match their starts, and identities are unique.
 */
function referenceViolations(calendar: Component): readonly string[] {
  const zones = calendar.components.filter(({ name }) => name === 'VTIMEZONE');
  const onsets = new Map(
    zones.map((zone) => [
      valueOf(zone, 'TZID'),
      zone.components.map((observance) => valueOf(observance, 'DTSTART')).sort()[0],
    ]),
  );
  const events = calendar.components.filter(({ name }) => name === 'VEVENT');
  const uids = events.map((event) => valueOf(event, 'UID'));
  return [
    ...(calendar.components.length > 0 ? [] : ['no component at all']),
    ...zones.filter((zone) => zone.components.length === 0).map((zone) => `${valueOf(zone, 'TZID')} has no observance`),
    ...(onsets.size === zones.length ? [] : ['a TZID is defined twice']),
    ...(new Set(uids).size === uids.length ? [] : ['a UID is there twice']),
    ...events.flatMap((event) => timeViolations(event, onsets)),
  ];
}

const valueOf = (component: Component, name: string): string =>
  component.properties.find((property) => property.name === name)?.value ?? '';

function timeViolations(event: Component, onsets: ReadonlyMap<string, string | undefined>): readonly string[] {
  const [start, end] = ['DTSTART', 'DTEND'].map((name) => event.properties.find((property) => property.name === name));
  const form = ({ params, value }: Property): string =>
    params.get('VALUE') === 'DATE'
      ? /^\d{8}$/.test(value)
        ? 'date'
        : 'wrong'
      : params.has('TZID')
        ? LOCAL.test(value)
          ? 'zoned'
          : 'wrong'
        : UTC.test(value)
          ? 'utc'
          : 'wrong';
  const wrong = [start, end].flatMap((time) => {
    if (!time) return [];
    const onset = onsets.get(time.params.get('TZID') ?? '');
    const undefinedZone = time.params.has('TZID') && (onset === undefined || onset > time.value);
    return [
      ...(form(time) === 'wrong' ? [`not a time: ${time.line}`] : []),
      ...(undefinedZone ? [`no observance for ${time.line}`] : []),
    ];
  });
  const unfit =
    start &&
    end &&
    (form(start) !== form(end) || (start.params.get('TZID') === end.params.get('TZID') && end.value <= start.value));
  return unfit ? [...wrong, `${start.line} and ${end.line} do not fit`] : wrong;
}
