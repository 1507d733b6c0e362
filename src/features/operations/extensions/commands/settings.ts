import type { Kysely } from 'kysely'
import type { Setting } from '#extension'
import { requireStaff } from '#features/accounts/users/access.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

export async function getSettingsOf(db: Kysely<DB>, keyring: Keyring, name: string): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('extension_setting')
    .select(['name', 'value_sealed'])
    .where('extension_name', '=', name)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.name, keyring.unseal(row.value_sealed)]))
}

/** Names of the settings that have a value. */
export async function findSettingNames(db: Kysely<DB>, name: string): Promise<Set<string>> {
  const rows = await db.selectFrom('extension_setting').select('name').where('extension_name', '=', name).execute()
  return new Set(rows.map((row) => row.name))
}

/** An empty value removes the setting; undefined: unchanged. False: nothing has changed. */
export async function changeSettingsOf(
  context: CommandContext,
  { extension, settings }: { extension: string; settings: readonly Setting[] },
  values: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  requireStaff(context.actor)
  const { keyring } = context.site
  return transact(context.db, async (tx) => {
    await tx.selectFrom('extension').select('name').where('name', '=', extension).forUpdate().executeTakeFirst()
    const before = await getSettingsOf(tx, keyring, extension)
    const changed = settings.filter(({ name }) => values[name] !== undefined && values[name] !== (before[name] ?? ''))
    if (!changed.length) return false
    for (const { name } of changed) {
      await tx.deleteFrom('extension_setting').where('extension_name', '=', extension).where('name', '=', name).execute()
      const value = values[name]!
      if (value === '') continue
      await tx
        .insertInto('extension_setting')
        .values({ extension_name: extension, name, value_sealed: keyring.seal(value) })
        .execute()
    }
    await record(tx, context, { kind: 'instance.extension_changed', subject: { kind: 'instance', id: null } })
    return true
  })
}
