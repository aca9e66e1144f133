// @ts-check
// Plain JavaScript, as the launcher reads it on any old Node.js.

/**
 * Commands, and options in their place, that only ask or tell the database a little. They need no memory limits, which
 * Node.js only accepts at its start, so the launcher runs them in its own process.
 */
export const SHORT_COMMANDS = [
  '--version',
  '-V',
  'alerts',
  'complete',
  'completion',
  'dismiss',
  'events',
  'explain',
  'keys',
  'password',
  'pause',
  'reject',
  'resume',
  'runs',
  'show',
  'sources',
  'stop',
  'users',
  'version',
];
