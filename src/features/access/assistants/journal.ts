import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    /** `operation`: the operation of the API, without its values. */
    'assistant.called': {
      subject: 'access_token'
      changes: { operation: string; response_status: number; is_dry_run: boolean }
    }
  }
}
