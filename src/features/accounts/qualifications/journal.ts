import type { CategoryForm, QualificationForm } from './schema.ts'

type Qualification = Omit<QualificationForm, 'seen'>

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'qualification.changed': { subject: 'qualification'; changes: Qualification & { before: Omit<Qualification, 'uuid'> } }
    'qualification.created': { subject: 'qualification'; changes: Qualification }
    'qualification.deleted': {
      subject: 'qualification'
      changes: { title: string; uuid: string; keepTransitivity: boolean; moveTo: number | null; moved: number; holders: number }
    }
    'qualification.imported': { subject: 'qualification'; changes: { added: number; changed: number } }
    'qualification_category.changed': { subject: 'qualification_category'; changes: CategoryForm }
    'qualification_category.created': { subject: 'qualification_category'; changes: CategoryForm }
    'qualification_category.deleted': { subject: 'qualification_category'; changes: { title: string } }
  }
}
