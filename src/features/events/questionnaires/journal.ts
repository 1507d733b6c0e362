import type { Change, Changes } from '#platform/journal/kinds.ts'
import type { Answers } from './rules.ts'
import type { QuestionForm } from './schema.ts'

type Question = Omit<QuestionForm, 'version' | 'choices'> & { choices: readonly string[] }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'question.archived': { subject: 'question'; changes: { archived: Change<boolean> } }
    'question.changed': { subject: 'question'; changes: Changes<Question> }
    'question.created': { subject: 'question'; changes: Changes<{ [Name in keyof Question]: Question[Name] | null }> }
    'question.deleted': { subject: 'question'; changes: { name: string; text: Change<string, null> } }
    'question.restored': { subject: 'question'; changes: { archived: Change<boolean> } }
    'user.saved_answers_changed': { subject: 'user'; personal: { answers: Change<Answers> } }
  }
}
