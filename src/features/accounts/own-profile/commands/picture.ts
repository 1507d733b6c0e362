import { requireActing } from '#features/accounts/users/commands/guardians.ts'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { deleteFiles, keepFile } from '#platform/files/stored-files.ts'
import type { Upload } from '#platform/files/upload.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'

function requirePerson({ actor }: CommandContext): number {
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  return actor.userId
}

export async function setPicture(context: CommandContext, picture: Upload): Promise<void> {
  const userId = requirePerson(context)
  await transact(context.db, async (tx) => {
    await lockPerson(tx, userId)
    await requireActing(tx, context)
    await deletePictureOf(tx, userId)
    await keepFile(tx, picture, context.now)
    await tx.insertInto('profile_picture').values({ user_id: userId, file_id: picture.id }).execute()
    await record(tx, context, { kind: 'user.picture_changed', subject: { kind: 'user', id: userId } })
  })
}

/** False: there was none. */
export async function removePicture(context: CommandContext): Promise<boolean> {
  const userId = requirePerson(context)
  return transact(context.db, async (tx) => {
    await lockPerson(tx, userId)
    await requireActing(tx, context)
    const isDeleted = await deletePictureOf(tx, userId)
    if (isDeleted) await record(tx, context, { kind: 'user.picture_removed', subject: { kind: 'user', id: userId } })
    return isDeleted
  })
}

async function deletePictureOf(tx: Tx, userId: number): Promise<boolean> {
  const row = await tx.deleteFrom('profile_picture').where('user_id', '=', userId).returning('file_id').executeTakeFirst()
  if (row) await deleteFiles(tx, [row.file_id])
  return row !== undefined
}

/** For the deletion of a person. */
export async function deleteProfileOf(tx: Tx, userId: number): Promise<void> {
  await deletePictureOf(tx, userId)
  await tx.deleteFrom('email_change').where('user_id', '=', userId).execute()
}
