/** The style of all pages of the site: light and dark, from a phone's width on. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c1c1e; --soft: #5a5a62; --paper: #fff; --wash: #f4f5f7; --line: #d9d9de; --accent: #0b57a4; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #f2f2f4; --soft: #b3b3bb; --paper: #161618; --wash: #222226; --line: #3a3a40; --accent: #8ab8ff; --on-accent: #10151d; } }
* { box-sizing: border-box; } [hidden] { display: none !important; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
.bar, main, footer { max-width: 60rem; margin: 0 auto; padding: 1rem; }
main { padding-bottom: 3rem; }
main.narrow > * { max-width: 46rem; }
header { border-bottom: 1px solid var(--line); }
.bar { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center; justify-content: space-between; }
.bar > a { font-weight: 700; font-size: 1.15rem; color: var(--ink); text-decoration: none; }
nav ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem .5rem; }
nav a { display: inline-block; padding: .4rem .75rem; border-radius: .4rem; text-decoration: none; }
nav a:hover { background: var(--wash); }
nav.terms a { padding: .2rem .7rem; border: 1px solid var(--line); border-radius: 1rem; font-size: .9rem; }
nav a[aria-current] { background: var(--accent); color: var(--on-accent); }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
h1 { line-height: 1.2; margin: 1rem 0; }
h2 { margin: 2rem 0 .25rem; font-size: 1.05rem; }
h2.day { color: var(--soft); border-bottom: 1px solid var(--line); }
form.search { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 1rem 0; }
form.search label { flex: 1 1 14rem; } form.search label.date { flex: 0 1 11rem; }
label { font-size: .9rem; color: var(--soft); }
input { display: block; width: 100%; min-height: 2.75rem; padding: .4rem .6rem; font: inherit; color: var(--ink); background: var(--wash); border: 1px solid var(--line); border-radius: .4rem; }
input[type=checkbox] { display: inline-block; width: auto; min-height: 0; }
button, .button { display: inline-flex; align-items: center; min-height: 2.75rem; padding: .4rem 1rem; font: inherit; border: 1px solid var(--accent); border-radius: .4rem; background: transparent; color: var(--accent); text-decoration: none; cursor: pointer; }
button.main, .button.main { background: var(--accent); color: var(--on-accent); }
ol.events { list-style: none; margin: 0; padding: 0; }
ol.events li { display: grid; grid-template-columns: 6rem 1fr; gap: .25rem 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
.time, .place, footer, .none, .kind { color: var(--soft); }
ol.events .place { display: block; font-size: .9rem; }
.description { margin: 1.5rem 0; overflow-x: auto; } .description table { border-collapse: collapse; } .description :is(th, td) { padding: .25rem 1rem .25rem 0; text-align: left; vertical-align: top; } .description img, .image { max-width: 100%; height: auto; border-radius: .4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1rem; }
dt { color: var(--soft); } dd { margin: 0; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0; align-items: center; }
.kind { margin: 1rem 0 -.75rem; font-size: .9rem; }
.month { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; } .month h1 { margin-right: auto; } .month h1::first-letter, h2.day::first-letter { text-transform: uppercase; }
table.days { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: .85rem; line-height: 1.35; }
table.days abbr { text-decoration: none; }
table.days th { padding: .4rem; text-align: left; color: var(--soft); font-weight: 600; }
table.days td { height: 6.5rem; padding: .3rem; vertical-align: top; border: 1px solid var(--line); }
table.days td.other { background: var(--wash); }
table.days ul { list-style: none; margin: .2rem 0 0; padding: 0; } table.days li { margin: .15rem 0; }
table.days li a { text-decoration: none; } table.days li a:hover { text-decoration: underline; }
.date-full { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; } .date { color: var(--soft); text-decoration: none; } td[aria-current] .date { background: var(--accent); color: var(--on-accent); border-radius: .8rem; padding: .05rem .45rem; }
@media (max-width: 44rem) {
  table.days, table.days tbody, table.days tr, table.days td { display: block; height: auto; border: 0; padding: 0; font-size: 1rem; }
  table.days thead, table.days td.other, table.days td.empty, table.days td.running, table.days li.running { display: none; }
  table.days td { padding: .6rem 0; border-bottom: 1px solid var(--line); }
  table.days li { padding: .25rem 0; }
  .date-full { position: static; width: auto; height: auto; clip-path: none; white-space: normal; font-weight: 600; } .date-short { display: none; }
  table.plain .wide { display: none; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; }
  ol.events li { grid-template-columns: 4.5rem 1fr; }
}
table.plain { width: 100%; border-collapse: collapse; } table.plain th, table.plain td { text-align: left; padding: .5rem .5rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
table.plain td, table.plain thead th { white-space: nowrap; } button { white-space: nowrap; }
.note { background: var(--wash); border-left: .3rem solid var(--accent); padding: .75rem 1rem; border-radius: .2rem; }
.note.bad { border-color: #c62828; } .secret { font: 1.25rem/1.4 ui-monospace, monospace; user-select: all; }
form.stack { display: grid; gap: 1rem; max-width: 26rem; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: .25rem; background: var(--paper); padding: .5rem; }
`;
