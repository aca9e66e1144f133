import path from 'node:path';

/** The configuration of a town with one of the samples as its feed, from wherever it is read. */
export const SAMPLE_TOWN = `builtin: { title: Town, timezone: Europe/Warsaw }
sources: { theatre: { url: "file:${path.resolve('config/samples/theatre.ics')}", language: pl, every: 6h } }
fetch: { allow_files: [${path.resolve('config/samples')}] }
`;
