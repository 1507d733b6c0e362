import { type Kysely, type RawBuilder, sql } from 'kysely'
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

export type FooterPage = { title: string; slug: string }

/** Links for the footer that the reader can open, as one value: a list of `FooterPage`. */
export const footerPages = (isSignedIn: boolean): RawBuilder<unknown> => sql`(
  select coalesce(json_agg(json_build_object('title', title, 'slug', slug) order by title, id), '[]') from content_page
  where in_footer and (is_public or ${isSignedIn}))`
