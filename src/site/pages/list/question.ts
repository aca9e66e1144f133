import {
  EVERYTHING,
  LIST_NAMES,
  LISTS,
  nameParam,
  SELECTION_PARAMS,
  selectionOf,
  selectionQuery,
  type Excess,
  type ListName,
  type Selection,
} from '../../../selection/selection.ts';

/** What a list is asked for: a selection, and how to show it. */
export interface Question extends Selection {
  /** Whether each date of a series has a line of its own. */
  readonly everyDate: boolean;
  /** Whether to show all long events, not only those that end first. */
  readonly allLasting: boolean;
  readonly page: number;
}

const PAGE_MAX = 10_000;
const PARAMS = new Set([...SELECTION_PARAMS, ...Object.values(LISTS).map(nameParam), 'series', 'lasting', 'page']);
const UNADORNED = { everyDate: false, allLasting: false, page: 1 } as const;

/** A selection as first shown by a list. */
export const firstOf = (selection: Selection): Question => ({ ...selection, ...UNADORNED });

/** Parses an address. */
export function questionOf(query: URLSearchParams): Question | { readonly excess: Excess } {
  const selection = selectionOf(query);
  if ('excess' in selection) return selection;
  const page = Number.parseInt(query.getAll('page').at(-1) ?? '', 10) || 1;
  return {
    ...selection,
    everyDate: query.getAll('series').at(-1) === 'all',
    allLasting: query.getAll('lasting').at(-1) === 'all',
    page: Math.min(PAGE_MAX, Math.max(1, page)),
  };
}

/** The path of a question. */
export function pathOfQuestion(question: Question): string {
  const query = selectionQuery(question);
  if (question.everyDate) query.set('series', 'all');
  if (question.allLasting) query.set('lasting', 'all');
  if (question.page > 1) query.set('page', String(question.page));
  return query.size === 0 ? '/' : `/?${query}`;
}

/** The canonical path if a question was asked in another way; undefined otherwise. */
export function movedQuestion(question: Question, query: URLSearchParams): string | undefined {
  const asked = new URLSearchParams([...query].filter(([name]) => PARAMS.has(name)));
  const path = pathOfQuestion(question);
  return path === (asked.size === 0 ? '/' : `/?${asked}`) ? undefined : path;
}

/** One choice, and the question without it. */
export interface Choice {
  readonly kind: 'search' | 'time' | ListName | 'free' | 'language';
  /** As in the address. */
  readonly value: string;
  readonly without: Question;
}

/** Splits a question into its choices. */
export function choicesOf(question: Question): readonly Choice[] {
  const first = { ...question, page: 1 };
  const { search, when, from, free, language } = question;
  const single = (kind: Choice['kind'], value: string, less: Partial<Question>): readonly Choice[] =>
    value === '' ? [] : [{ kind, value, without: { ...first, ...less } }];
  return [
    ...single('search', search, { search: '' }),
    ...single('time', when === '' ? from : when, { when: '', from: '' }),
    ...LIST_NAMES.flatMap((name) =>
      question[name].map((value) => ({
        kind: name,
        value,
        without: { ...first, [name]: question[name].filter((other) => other !== value) },
      })),
    ),
    ...single('free', free ? '1' : '', { free: false }),
    ...single('language', language, { language: '' }),
  ];
}

/** Adds one choice to a question. */
export const withOne = (question: Question, kind: ListName, slug: string): Question => ({
  ...question,
  [kind]: [...question[kind], slug],
  page: 1,
});

/** The questions with one kind of choice removed, for each kind. */
export function widerQuestions(question: Question): readonly (readonly [Choice['kind'], Question])[] {
  return kindsOf(question).map((kind) => [kind, { ...question, ...NOT_CHOSEN[kind], page: 1 }]);
}

const kindsOf = (question: Question): readonly Choice['kind'][] => [
  ...new Set(choicesOf(question).map(({ kind }) => kind)),
];

/** The questions with only one kind of choice, for each kind. */
export const singleQuestions = (question: Question): readonly (readonly [Choice['kind'], Question])[] => {
  const bare = { ...question, ...EVERYTHING, page: 1 };
  return kindsOf(question).map((kind) => {
    const kept = Object.keys(NOT_CHOSEN[kind]) as readonly (keyof Selection)[];
    return [kind, { ...bare, ...Object.fromEntries(kept.map((name) => [name, question[name]])) }];
  });
};

const NOT_CHOSEN: Readonly<Record<Choice['kind'], Partial<Question>>> = {
  search: { search: '' },
  time: { when: '', from: '' },
  categories: { categories: [] },
  tags: { tags: [] },
  places: { places: [] },
  organizers: { organizers: [] },
  free: { free: false },
  language: { language: '' },
};

/** Whether a question asks for everything from today on. */
export const asksForAll = (question: Question): boolean =>
  pathOfQuestion({ ...question, everyDate: false, allLasting: false }) === pathOfQuestion(firstOf(EVERYTHING));
