import type { Change, Changes } from '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'attachment.changed': { subject: 'attachment'; changes: Changes<{ title: string; shared: boolean }> }
    'attachment.created': { subject: 'attachment'; changes: { files: Change<null, readonly string[]> } }
    'attachment.deleted': {
      subject: 'attachment'
      changes: { title: Change<string, null>; events: Change<readonly number[], null> }
    }
    'event.file_removed': { subject: 'event'; changes: { files: Change<readonly string[], null> } }
    'event.files_added': { subject: 'event'; changes: { files: Change<null, readonly string[]> } }
  }
}
