import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { getEntry, journalKind } from '#platform/journal/entries.ts'
import { record, recordAll } from '#platform/journal/journal.ts'
import type { JournalEntry } from '#platform/journal/readers.ts'

const NOTIFICATION = {
  name: 'reminder',
  icon: 'bell',
  role: 'participant',
  mail: 'default',
  isObsolete: () => false,
  describe: () => ({ subject: '', line: '' }),
} as const

/** Only compiled: each line with an expected error shows that the compiler refuses a mistake. */
export async function use(tx: Tx, context: CommandContext, entry: JournalEntry): Promise<unknown[]> {
  const shift = { kind: 'shift', id: 7 } as const
  await record(tx, context, { kind: 'shift.line_joined', subject: shift, changes: { entry: 3 } })
  await recordAll(tx, context, [{ kind: 'user.welcomed', subject: { kind: 'user', id: 1 } }])
  const trigger = defineKind({
    ...NOTIFICATION,
    triggers: {
      'shift.line_joined': ({ changes }) => ({ recipients: () => journalKind() as never, data: { id: changes.entry } }),
    },
  })
  const joined = await getEntry(tx, 1, ['shift.line_joined'])
  const entryId: number | undefined = joined?.changes.entry
  const until: string | null = entry.kind === 'service_account.created' ? entry.changes.expires_at : null

  // @ts-expect-error nothing records this kind
  await record(tx, context, { kind: 'shift.line_joind', subject: shift, changes: { entry: 3 } })
  // @ts-expect-error the subject is a shift
  await record(tx, context, { kind: 'shift.line_joined', subject: { kind: 'event', id: 7 }, changes: { entry: 3 } })
  // @ts-expect-error the changes are missing
  await record(tx, context, { kind: 'shift.line_joined', subject: shift })
  // @ts-expect-error the entry of the waiting list is a number
  await record(tx, context, { kind: 'shift.line_joined', subject: shift, changes: { entry: '3' } })
  // @ts-expect-error entries of this kind do not hold this
  await record(tx, context, { kind: 'shift.line_joined', subject: shift, changes: { entry: 3, users: [1] } })
  // @ts-expect-error entries of this kind hold no changes
  await recordAll(tx, context, [{ kind: 'user.welcomed', subject: { kind: 'user', id: 1 }, changes: { by: 'x' } }])
  // @ts-expect-error a misspelt trigger would never fire
  defineKind({ ...NOTIFICATION, triggers: { 'shift.line_joind': () => undefined } })
  // @ts-expect-error entries of this kind do not hold users
  defineKind({ ...NOTIFICATION, triggers: { 'shift.line_joined': ({ changes }) => changes.users } })
  // @ts-expect-error no such kind
  journalKind('shift.line_joind')
  // @ts-expect-error no such kind
  const isMisspelt = entry.kind === 'shift.line_joind'
  // @ts-expect-error only an import has entries of this kind
  await getEntry(tx, 1, ['imported.changed'])
  return [trigger, entryId, until, isMisspelt]
}
