import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    /** Without the settings, which can be secrets. */
    'instance.extension_changed': { subject: 'instance' }
  }
}
