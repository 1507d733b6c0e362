const HOUR_MS = 3_600_000

/** How long the new address can be confirmed. */
const CONFIRM_HOURS = 24
/** How long the owner of the former address can revert a change, and how long a stopped change stays stopped. */
export const STOP_HOURS = 72

const hours = (count: number) => count * HOUR_MS

export type EmailChange = { requestedAt: Date; confirmedAt: Date | null; stoppedAt: Date | null }

/** Until when no other change can be requested; undefined: now. */
export function blockedUntil({ confirmedAt, stoppedAt }: EmailChange, now: Date): Date | undefined {
  // While a change can be reverted, a second one would replace the address to return to.
  const since = stoppedAt ?? confirmedAt
  const until = since && new Date(since.getTime() + hours(STOP_HOURS))
  return until && until > now ? until : undefined
}

export const canConfirm = ({ requestedAt, confirmedAt, stoppedAt }: EmailChange, now: Date): boolean =>
  confirmedAt === null && stoppedAt === null && now.getTime() - requestedAt.getTime() < hours(CONFIRM_HOURS)

/** `revert`: the address was changed; `stop`: the change waits. */
export function whatStops({ requestedAt, confirmedAt, stoppedAt }: EmailChange, now: Date): 'revert' | 'stop' | undefined {
  if (stoppedAt !== null) return undefined
  if (confirmedAt !== null) return now.getTime() - confirmedAt.getTime() < hours(STOP_HOURS) ? 'revert' : undefined
  return now.getTime() - requestedAt.getTime() < hours(STOP_HOURS) ? 'stop' : undefined
}

type Proposal = { name?: string | undefined; dateOfBirth?: string | undefined }

/** What a request of the kind `profile` asks for; undefined: its data are invalid. */
export function readProposal(data: Readonly<Record<string, unknown>>): Proposal | undefined {
  const { name, date_of_birth: dateOfBirth } = data
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
  if (name !== undefined && !isText(name)) return undefined
  if (dateOfBirth !== undefined && !(isText(dateOfBirth) && /^\d{4}-\d{2}-\d{2}$/.test(dateOfBirth))) return undefined
  return name === undefined && dateOfBirth === undefined ? undefined : { name, dateOfBirth }
}
