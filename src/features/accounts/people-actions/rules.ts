export const ACTION_KINDS = ['invite', 'add_to_group', 'remove_from_group', 'grant', 'deactivate'] as const
export type ActionKind = (typeof ACTION_KINDS)[number]
export type ActionState = 'open' | 'waiting' | 'done' | 'undo_waiting' | 'undone'

/** Counting and locking more people takes too long for one step. */
export const MOST_PEOPLE = 5000
/** More people than this are a job, and the page shows its progress. */
export const AT_ONCE = 100

/** Why an action leaves a person as they are. */
const SKIP_REASONS = [
  'gone',
  'signed_in_before',
  'inactive',
  'no_sign_in',
  'no_address',
  'member',
  'no_member',
  'external',
  'held',
  'administrator',
  'last_administrator',
  'self',
  'changed',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export const UNDO_MS = 24 * 3600_000

/** A mail that was sent stays sent. */
const CAN_BE_UNDONE: readonly ActionKind[] = ['add_to_group', 'remove_from_group', 'grant', 'deactivate']

type Finished = { kind: ActionKind; state: ActionState; finishedAt: Date | null }

/** Until when an action can be undone; undefined: it cannot. */
export function findUndoEnd({ kind, state, finishedAt }: Finished, now: Date): Date | undefined {
  if (state !== 'done' || finishedAt === null || !CAN_BE_UNDONE.includes(kind)) return undefined
  const end = new Date(finishedAt.getTime() + UNDO_MS)
  return now < end ? end : undefined
}

type Invited = {
  isActive: boolean
  hasPassword: boolean
  lastSeenAt: Date | null
  canSignIn: boolean
  isUnreachable: boolean
}

/** An invitation is the first mail to an account. Whoever has signed in asks for a new password. */
export function findReasonNotToInvite(person: Invited): SkipReason | undefined {
  if (!person.isActive) return 'inactive'
  if (person.hasPassword || person.lastSeenAt !== null) return 'signed_in_before'
  if (!person.canSignIn) return 'no_sign_in'
  return person.isUnreachable ? 'no_address' : undefined
}
