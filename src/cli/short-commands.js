// @ts-check
// Plain JavaScript, as the launcher reads it on any old Node.js.

/**
 * Commands, and options in place of one, that ask or tell the database a little: they need no limits on memory, which
 * Node.js takes at its start only, so the launcher runs them itself.
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
