import type { World } from './world.ts'

/** Journal entries about one subject, oldest first. */
export async function journalOf(world: World, kind: string, id: number) {
  return world.db.read
    .selectFrom('journal')
    .selectAll()
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()
}
