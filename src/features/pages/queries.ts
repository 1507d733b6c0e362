import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'

export type ContentPage = {
  id: number
  title: string
  slug: string
  content: string
  in_footer: boolean
  is_public: boolean
  version: number
}

export const getContentPage = (db: Kysely<DB>, id: number): Promise<ContentPage | undefined> =>
  db.selectFrom('content_page').selectAll().where('id', '=', id).executeTakeFirst()

export const getContentPageBySlug = (db: Kysely<DB>, slug: string): Promise<ContentPage | undefined> =>
  db.selectFrom('content_page').selectAll().where('slug', '=', slug).executeTakeFirst()

export const findContentPages = (db: Kysely<DB>): Promise<Omit<ContentPage, 'content'>[]> =>
  db
    .selectFrom('content_page')
    .select(['id', 'title', 'slug', 'in_footer', 'is_public', 'version'])
    .orderBy('title')
    .orderBy('id')
    .execute()

/** Links for the footer that the reader can open. */
export function findFooterPages(db: Kysely<DB>, isSignedIn: boolean): Promise<{ title: string; slug: string }[]> {
  const query = db.selectFrom('content_page').select(['title', 'slug']).where('in_footer', '=', true)
  return (isSignedIn ? query : query.where('is_public', '=', true)).orderBy('title').orderBy('id').execute()
}
