import type { RequestContext } from '#platform/auth/context.ts'

/** The groups of the caller. */
export async function findOwnGroups({ db, actor }: RequestContext): Promise<{ id: number; name: string }[]> {
  const ids = actor.kind === 'user' ? actor.groupIds : []
  if (!ids.length) return []
  return db.selectFrom('user_group').select(['id', 'name']).where('id', 'in', ids).orderBy('id').execute()
}
