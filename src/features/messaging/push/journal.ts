import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'push_device.added': { subject: 'user' }
    'push_device.removed': { subject: 'user' }
  }
}
