/** The command line asks for something that is not to be had: exit code 64. */
export class WrongUse extends Error {}
