import type { Answers } from '#features/events/questionnaires/rules.ts'
import type { Change, Changes } from '#platform/journal/kinds.ts'
import type { ParticipationValues } from './rules/undo.ts'

type AnswersChange = { answers: Change<Answers> }
type Decision = {
  subject: 'participation'
  /** `cause`: what else than a decision about this participation. */
  changes: Changes<ParticipationValues> & { comment_id?: number; cause?: string; companions?: { removed: readonly number[] } }
  personal?: AnswersChange
}

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'participation.companion_added': Decision
    'participation.companion_removed': Decision
    'participation.customized': Decision
    'participation.declined': Decision
    'participation.given_up': Decision
    'participation.handed_over': Decision
    'participation.left_together': Decision
    'participation.moved': Decision
    'participation.signed_up': Decision
    'participation.taken_over': Decision
    /** `shift_id`: the participation was deleted; one of the other ids says whose it was, unless it was a placeholder. */
    'participation.undone': {
      subject: 'participation'
      changes: Changes<ParticipationValues> & {
        undone: number
        shift_id?: number
        user_id?: number
        visitor_id?: number
        guest_id?: number
      }
      personal?: AnswersChange
    }
    'shift.finished': { subject: 'shift'; changes: { participations: readonly number[] } }
  }
}
