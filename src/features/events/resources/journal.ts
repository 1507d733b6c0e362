import type { Change, Changes } from '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'resource.changed': { subject: 'resource'; changes: Changes<{ title: string; category_id: number }> }
    'resource.created': { subject: 'resource'; changes: { title: Change<null, string>; category_id: Change<null, number> } }
    'resource.deleted': { subject: 'resource'; changes: { title: Change<string, null> } }
    'resource_category.changed': { subject: 'resource_category'; changes: { name: Change<string> } }
    'resource_category.created': { subject: 'resource_category'; changes: { name: Change<null, string> } }
    'resource_category.deleted': { subject: 'resource_category'; changes: { name: Change<string, null> } }
    'shift.resources_changed': { subject: 'shift'; changes: { resources: Change<readonly number[]> } }
  }
}
