/** The command line asks for something impossible: exit code 64. */
export class WrongUse extends Error {}
