import { type Kysely, sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import type { CategoryForm } from '../schema.ts'

export async function createCategory(context: CommandContext, form: CategoryForm): Promise<number> {
  return transact(context.db, async (tx) => {
    const { id } = await tx.insertInto('qualification_category').values(form).returning('id').executeTakeFirstOrThrow()
    await record(tx, context, {
      kind: 'qualification_category.created',
      subject: { kind: 'qualification_category', id },
      changes: form,
    })
    return id
  })
}

/** For changes of single fields, which keep the others. */
export async function lockCategory(db: Kysely<DB>, id: number): Promise<void> {
  await sql`select from qualification_category where id = ${id} for update`.execute(db)
}

/** False: no such category. */
export async function changeCategory(context: CommandContext, id: number, form: CategoryForm): Promise<boolean> {
  return transact(context.db, async (tx) => {
    const changed = await tx
      .updateTable('qualification_category')
      .set(form)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (!changed) return false
    await record(tx, context, {
      kind: 'qualification_category.changed',
      subject: { kind: 'qualification_category', id },
      changes: form,
    })
    return true
  })
}

/** A foreign key refuses to delete a category that contains qualifications. */
export async function deleteCategory(context: CommandContext, id: number): Promise<'deleted' | 'gone' | 'in_use'> {
  try {
    return await transact(context.db, async (tx) => {
      const gone = await tx.deleteFrom('qualification_category').where('id', '=', id).returning('title').executeTakeFirst()
      if (!gone) return 'gone'
      await record(tx, context, {
        kind: 'qualification_category.deleted',
        subject: { kind: 'qualification_category', id },
        changes: gone,
      })
      return 'deleted'
    })
  } catch (error) {
    if (['23503', '23001'].includes(String((error as { code?: unknown }).code))) return 'in_use'
    throw error
  }
}
