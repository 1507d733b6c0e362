import { OperatorError } from '#platform/operator-error.ts'
/** A backup, restore or import is not possible. The message is for the operator. */
export class TransferError extends OperatorError {}
