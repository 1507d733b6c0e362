import type { Change, Changes } from '#platform/journal/kinds.ts'
import type { Answers } from './rules.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'question.archived': { subject: 'question'; changes: { archived: Change<boolean> } }
    'question.changed': { subject: 'question'; changes: Changes }
    'question.created': { subject: 'question'; changes: Changes }
    'question.deleted': { subject: 'question'; changes: { name: string; text: Change<string, null> } }
    'question.restored': { subject: 'question'; changes: { archived: Change<boolean> } }
    'user.saved_answers_changed': { subject: 'user'; personal: { answers: Change<Answers> } }
  }
}
