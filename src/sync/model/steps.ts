/** Takes steps to their end, without a pause between them. */
export function resultOf<R>(steps: Iterator<void, R>): R {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
