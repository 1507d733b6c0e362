import type { RequestContext } from '#platform/auth/context.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import type { PageRequest } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { blockHooks } from '../points.ts'
import { findContainers, loadBlocks } from '../queries.ts'
import type { StoredBlock } from '../schema.ts'
import { BLOCKS, blockPath } from '../views/list.ts'

export const access = permission('change_building_block')

export const assets = () => ({
  head: html`<link rel="stylesheet" href="${assetUrl('catalogue.css')}">`,
  scripts: [assetUrl('catalogue.js')],
})

export const crumbs = (words: Words, block?: { id: number; name: string }) =>
  manageCrumbs(
    words,
    { href: BLOCKS, label: words.t('block.list') },
    ...(block ? [{ href: blockPath(block.id), label: block.name }] : []),
  )

export async function requireBlock({ context, path: { id } }: PageRequest<{ id: number }>): Promise<StoredBlock> {
  return requireFound((await loadBlocks(context.db, [id])).get(id))
}

export async function findUses(context: RequestContext, id: number) {
  const { ids, outer } = await findContainers(context.db, id)
  return { ids, outer, shifts: await blockHooks.of(context.site).findShifts(context, ids), now: context.now }
}
