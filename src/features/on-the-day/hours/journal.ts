import type { Change, Changes } from '#platform/journal/kinds.ts'

type Hours = { date: string; hours: number; reason: string }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'working_hours.added': { subject: 'user'; changes: { entry: number }; personal: Hours }
    'working_hours.changed': { subject: 'user'; changes: { entry: number }; personal: Changes<Hours> }
    'working_hours.deleted': {
      subject: 'user'
      changes: { entry: number }
      personal: { [Name in keyof Hours]: Change<Hours[Name], null> }
    }
  }
}
