import { requirePermission } from '#features/accounts/users/access.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { pairChanges } from '#platform/journal/kinds.ts'
import { type ContentPage, getContentPage } from './queries.ts'
import { suggestSlug } from './rules.ts'
import type { ContentPageForm } from './schema.ts'

type Refusal = { ok: false; reason: 'slug_taken' | 'slug_missing' | 'outdated' }
type Outcome = { ok: true; slug: string; isChanged: boolean } | Refusal

/** Without a slug, the title gives it. */
function valuesOf({ version: _, ...form }: ContentPageForm): Omit<ContentPageForm, 'version'> {
  return { ...form, slug: form.slug || suggestSlug(form.title) }
}

export async function createContentPage(context: CommandContext, form: ContentPageForm): Promise<Outcome> {
  requirePermission(context.actor, 'add_page')
  const values = valuesOf(form)
  if (!values.slug) return { ok: false, reason: 'slug_missing' }
  return transact(context.db, async (tx): Promise<Outcome> => {
    const row = await tx
      .insertInto('content_page')
      .values(values)
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) return { ok: false, reason: 'slug_taken' }
    const { title, slug, is_public, in_footer } = values
    await record(tx, context, {
      kind: 'page.created',
      subject: { kind: 'page', id: row.id },
      changes: { title, slug, is_public, in_footer },
    })
    return { ok: true, slug, isChanged: true }
  })
}

/** Undefined: there is no such page. */
export async function changeContentPage(
  context: CommandContext,
  id: number,
  form: ContentPageForm,
): Promise<Outcome | undefined> {
  requirePermission(context.actor, 'change_page')
  const values = valuesOf(form)
  if (!values.slug) return { ok: false, reason: 'slug_missing' }
  return transact(context.db, async (tx): Promise<Outcome | undefined> => {
    const page = await lockContentPage(tx, id)
    if (!page) return undefined
    if (page.version !== form.version) return { ok: false, reason: 'outdated' }
    const names = (Object.keys(values) as (keyof typeof values)[]).filter((name) => values[name] !== page[name])
    if (!names.length) return { ok: true, slug: page.slug, isChanged: false }
    const owner = await tx.selectFrom('content_page').select('id').where('slug', '=', values.slug).executeTakeFirst()
    if (owner && owner.id !== id) return { ok: false, reason: 'slug_taken' }
    await tx.updateTable('content_page').set(values).where('id', '=', id).execute()
    await record(tx, context, {
      kind: 'page.changed',
      subject: { kind: 'page', id },
      changes: pairChanges(names, page, values),
    })
    return { ok: true, slug: values.slug, isChanged: true }
  })
}

/** Undefined: there is no such page. The journal keeps the text. */
export async function deleteContentPage(context: CommandContext, id: number): Promise<ContentPage | undefined> {
  requirePermission(context.actor, 'delete_page')
  return transact(context.db, async (tx) => {
    const page = await lockContentPage(tx, id)
    if (!page) return undefined
    await tx.deleteFrom('content_page').where('id', '=', id).execute()
    const { title, slug, content } = page
    await record(tx, context, {
      kind: 'page.deleted',
      subject: { kind: 'page', id },
      changes: { title: [title, null], slug: [slug, null], content: [content, null] },
    })
    return page
  })
}

async function lockContentPage(tx: Tx, id: number): Promise<ContentPage | undefined> {
  await tx.selectFrom('content_page').select('id').where('id', '=', id).forUpdate().execute()
  return getContentPage(tx, id)
}
