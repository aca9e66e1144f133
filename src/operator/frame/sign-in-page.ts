import { describedByNote } from '../../html/invalid-fields.ts';
import { html, type Html } from '../../html/template.ts';
import { SIGN_IN } from '../../request-bytes.ts';
import { spanInWords } from '../../run/watch/moments.ts';
import type { Caller } from './operator.ts';

/** Why a sign-in form was refused. */
export type SignInProblem =
  | { readonly problem: 'wrong' | 'no operator' | 'too old' }
  | { readonly problem: 'wait'; readonly waitMs: number };

const PROBLEMS: Readonly<Record<'wrong' | 'no operator' | 'too old', string>> = {
  wrong:
    'The account or the password is not correct. Passwords of applications are for programs; they do not work here.',
  'no operator':
    'This account may not use the console: it is for editors and administrators. An administrator can ' +
    'change that in Settings, or with: calsyncd password NAME --account --role editor',
  'too old': 'This form is too old, or was not sent from this page. Nothing was done; try again.',
};

/** What the sign-in form shows again. */
export interface Gate {
  readonly login?: string;
  /** What was typed into another form before, as `keptText` encodes it. */
  readonly kept?: string;
  readonly problem?: SignInProblem;
}

const PROBLEM_ID = 'problem';

/** The sign-in form. It is sent to the requested page, and leads there. */
export function signInMain({ token }: Caller, { login = '', kept = '', problem }: Gate): Html {
  const about = problem && describedByNote(PROBLEM_ID, problem.problem === 'wrong');
  return html`<h1>Sign in</h1>
    ${problem && html`<div class="banner bad" role="alert" id="${PROBLEM_ID}"><div>${problemInWords(problem)}</div></div>`}
    ${
      kept !== '' &&
      html`<div class="banner warn" role="status">
        <div>
          You were signed out in the meantime, so nothing was done. What you filled in is kept: sign in, and it is back
          in its form.
        </div>
      </div>`
    }
    <form method="post" enctype="multipart/form-data" class="box stack-4">
      <input type="hidden" name="token" value="${token}" /><input type="hidden" name="kept" value="${kept}" />
      <label class="field"
        >Account<input
          name="login"
          value="${login}"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          required
          autofocus${about}
      /></label>
      <label class="field"
        >Password<input name="password" type="password" autocomplete="current-password" required${about}
      /></label>
      <label class="row opt"
        ><input type="checkbox" name="stay" value="yes" /> Stay signed in on this device for 30 days</label
      >
      <button name="do" value="${SIGN_IN}" class="go">Sign in</button>
    </form>
    <p class="small dim">
      Forgotten? The developer makes a new one: <code>calsyncd password NAME --account</code>. After 5 wrong ones we
      wait a little longer each time.
    </p>
    <p class="small dim">You will be taken to the page you asked for. Signing in decides nothing.</p>`;
}

const problemInWords = (problem: SignInProblem): string =>
  problem.problem === 'wait'
    ? `There were too many wrong attempts. Try again in ${spanInWords(problem.waitMs)}.`
    : PROBLEMS[problem.problem];
