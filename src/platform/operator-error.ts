/** A problem that the operator can fix. Commands print its message on one line, without a stack trace. */
export class OperatorError extends Error {}
