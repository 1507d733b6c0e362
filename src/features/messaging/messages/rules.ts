import { STATE } from '#features/staffing/staffing/rules/model.ts'

/** Why somebody gets no mail. */
type NoMailReason = 'placeholder' | 'inactive' | 'address' | 'self'
/** Somebody with a participation in the event, or who may sign up for it. */
export type Candidate = {
  /** `u7`, `g3`, `v2`: id of a user, guest or visitor; `p5`: id of the participation of a placeholder. */
  key: string
  name: string
  noMail: NoMailReason | null
  /** The event is visible to them by a grant to them or to one of their groups. */
  isInvited: boolean
  participations: readonly { shiftId: number; state: number }[]
}
export type RecipientGroup = 'confirmed' | 'requested' | 'unanswered'
export type RecipientChoice = {
  groups: ReadonlySet<RecipientGroup>
  /** Narrows the groups to one shift. */
  shiftId: number | undefined
  /** Keys of further candidates. */
  people: ReadonlySet<string>
}

/** A message with the progress of its mails. */
export type SentMessage = {
  id: number
  subject: string
  author: string | null
  created_at: Date
  total: number
  sent: number
  waiting: number
  failed: number
  skipped: number
}

export function isInGroup(group: RecipientGroup, candidate: Candidate, shiftId?: number): boolean {
  const participations = candidate.participations.filter((each) => shiftId === undefined || each.shiftId === shiftId)
  if (group === 'unanswered') return candidate.isInvited && participations.length === 0
  return participations.some(({ state }) => state === STATE[group])
}

export type Chosen = { recipients: Candidate[]; unreachable: Candidate[] }

/** Each candidate once, split into those who get the mail and those who cannot. */
export function chooseRecipients(candidates: readonly Candidate[], { groups, shiftId, people }: RecipientChoice): Chosen {
  const chosen = candidates.filter(
    (candidate) => people.has(candidate.key) || [...groups].some((group) => isInGroup(group, candidate, shiftId)),
  )
  return {
    recipients: chosen.filter(({ noMail }) => !noMail),
    unreachable: chosen.filter(({ noMail }) => noMail),
  }
}
