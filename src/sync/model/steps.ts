/** Runs a generator of steps to the end, without pausing, and returns its result. */
export function resultOf<R>(steps: Iterator<void, R>): R {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
