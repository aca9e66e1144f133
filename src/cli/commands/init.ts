import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadConfig, readConfig } from '../../config.ts';
import { AppError } from '../../error.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { whyUnwritable } from '../../files/why-unwritable.ts';
import type { Problem } from '../../problem.ts';
import { slugOfName } from '../../sync/model/slug.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { Declined } from '../terminal/confirmed.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { textOption } from '../terminal/option-values.ts';
import { WrongUse } from '../terminal/wrong-use.ts';

/** A question, the option that answers it, and the lines that an answer adds to the file. */
interface Question {
  readonly option: string;
  readonly flags: string;
  readonly asks: string;
  /** The default answer; an empty one leaves the key out. */
  readonly usual: string;
  readonly yaml: (answer: string) => string;
}

const QUESTIONS: readonly Question[] = [
  {
    option: 'title',
    flags: '--title <text>',
    asks: 'What is the calendar called?',
    usual: 'Town calendar',
    yaml: (title) => `builtin:\n  title: ${JSON.stringify(title)}\n`,
  },
  {
    option: 'timezone',
    flags: '--timezone <zone>',
    asks: 'In which time zone is it, such as Europe/Warsaw?',
    usual: 'UTC',
    yaml: (zone) => `  timezone: ${JSON.stringify(zone)}\n`,
  },
  {
    option: 'languages',
    flags: '--languages <list>',
    asks: 'In which languages are its events, the usual one first, such as en, pl?',
    usual: 'en',
    yaml: (list) => `  languages: ${JSON.stringify(list.split(/[\s,]+/).filter((each) => each !== ''))}\n`,
  },
  {
    option: 'contact',
    flags: '--contact <address>',
    asks: 'Where can publishers of feeds write to you, such as webmaster@example.org? (may be left out)',
    usual: '',
    yaml: (contact) => (contact === '' ? '' : `fetch:\n  contact: ${JSON.stringify(contact)}\n`),
  },
  {
    option: 'feed',
    flags: '--feed <address>',
    asks: 'What is the address of the first feed? (may be left out)',
    usual: '',
    yaml: (url) => (url === '' ? '' : `sources:\n  ${nameFor(url)}:\n    url: ${JSON.stringify(url)}\n    every: 1h\n`),
  },
];

const OPTIONS = QUESTIONS.map(({ option }) => `--${option}`).join(', ');

const EXPORTED = 'feeds:\n  all: { title: "All events" }\n';

/** `init`: writes a first configuration from five answers. */
export const command = commandOf({
  group: 'Start and check',
  usage: 'init',
  description: 'write a first configuration: asks five questions, or takes the answers as options; overwrites nothing',
  example: 'init --title "Town calendar" --timezone Europe/Warsaw --feed https://town.example/events.ics',
  options: QUESTIONS.map(({ flags, asks }) => [flags, asks] as const),
  worksWithout: 'unread',
  tellsDoubts: true,
  act: async (call) => {
    const { io, file, options } = call;
    if (existsSync(file.name))
      throw new WrongUse(
        `There is a configuration already: ${file.name}. "check" says what is wrong with it; ` +
          `"init --config FILE" begins another one.`,
      );
    if (!io.ask && !options.json && QUESTIONS.every(({ option }) => options[option] === undefined))
      io.err(`There is no terminal to ask on, so the usual answers are taken. ${OPTIONS} give others.\n`);
    const text = await answers(call);
    if (text === undefined) throw new Declined();
    await write(file.name, text);
    if (options.json) printJson(io, { file: file.name, sources: sourcesIn(file.name) });
    else io.out(next(file.name));
    return EXIT.done;
  },
});

const sourcesIn = (name: string): readonly string[] =>
  loadConfig({ path: name }).value?.sources.map((source) => source.name) ?? [];

/** The file made from all answers; undefined if the person ends the questions. */
async function answers(call: Call): Promise<string | undefined> {
  let text = '';
  for (const question of QUESTIONS) {
    const part = await answer(call, question, text);
    if (part === undefined) return undefined;
    text += part;
  }
  return text + EXPORTED;
}

/** The lines that one answer adds. Asks again after an invalid answer. */
async function answer({ io, file, options }: Call, question: Question, before: string): Promise<string | undefined> {
  const given = textOption(options[question.option]);
  const wrong = (part: string): Problem | undefined => {
    const { problems, doubts } = readConfig(file.name, Buffer.from(before + part));
    return [...problems, ...doubts][0];
  };
  if (given !== undefined || !io.ask) {
    const part = question.yaml((given ?? question.usual).trim());
    const problem = wrong(part);
    if (problem) throw new WrongUse(`--${question.option}: ${problem.message}`);
    return part;
  }
  for (;;) {
    const said = await io.ask(`${question.asks}${question.usual === '' ? '' : ` [${question.usual}]`} `);
    if (said === undefined) return undefined;
    const part = question.yaml(said.trim() || question.usual);
    const problem = wrong(part);
    if (!problem) return part;
    io.err(`  ${problem.message}\n`);
  }
}

/** A default name for the source, from the host of its feed. */
function nameFor(address: string): string {
  const host = URL.parse(address.replace(/^webcal(s?):/i, 'http$1:'))?.hostname ?? '';
  const name = slugOfName(host.replace(/^www\./, ''))
    .slice(0, 40)
    .replace(/-+$/, '');
  return /[a-z]/.test(name) ? name : 'first-feed';
}

async function write(name: string, text: string): Promise<void> {
  try {
    makeFolder(path.dirname(path.resolve(name)));
    await writeFile(name, text, { flag: 'wx' });
  } catch (cause) {
    throw new AppError('file-unwritable', `${name} cannot be written: ${whyUnwritable(cause)}.`, { cause });
  }
}

const next = (name: string): string => {
  const option = name === 'config/calsyncd.yaml' ? '' : ` --config ${name}`;
  const hasSource = sourcesIn(name).length > 0;
  return [
    `Wrote ${name}. Next:`,
    ...(hasSource ? [`  npm run -s calsyncd -- sync --dry-run${option}   shows what the feed would become`] : []),
    `  npm run -s calsyncd -- start${option}            serves the calendar${hasSource ? ' and reads the feed' : '; its console adds feeds'}`,
    `  npm run -s calsyncd -- check${option}            after each change of the file`,
    '',
  ].join('\n');
};
