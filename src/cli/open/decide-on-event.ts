import type { RunContext, SourceSetup } from '../../run/state/context.ts';
import type { Started } from '../../run/steps/keep-plan.ts';
import type { Call } from '../terminal/command.ts';
import type { ExitCode } from '../terminal/io.ts';
import { runToEnd } from './decided-run.ts';
import { eventNamed } from './event-named.ts';
import { withApp } from './open-context.ts';

/** What a command decides about one event. */
interface OnEvent {
  readonly start: (context: RunContext, setup: SourceSetup) => Promise<Started>;
  /** What is so afterwards; `source` by its name. */
  readonly told: (source: string) => string;
}

/** Carries out what a person decides about the event that a command names, and says what is so now. */
export function decideOnEvent(call: Call, slug: string, { start, told }: OnEvent): Promise<ExitCode> {
  return withApp(call.config, call.io, async (app) => {
    const { setup } = await eventNamed(app, slug);
    return runToEnd(
      app,
      setup,
      call,
      () => start(app.context, setup),
      () => told(setup.name),
    );
  });
}
