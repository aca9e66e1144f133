import type { RunContext, SourceSetup } from '../../run/state/context.ts';
import type { StartOutcome } from '../../run/steps/keep-plan.ts';
import type { Call } from '../terminal/command.ts';
import type { ExitCode } from '../terminal/io.ts';
import { runToEnd } from './decided-run.ts';
import { eventNamed } from './event-named.ts';
import { withApp } from './open-context.ts';

/** A command's decision about one event. */
interface OnEvent {
  readonly start: (context: RunContext, setup: SourceSetup) => Promise<StartOutcome>;
  /** The sentence that confirms it; `source` is the source's name. */
  readonly told: (source: string) => string;
}

/** Carries out a person's decision about the named event, and confirms it. */
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
