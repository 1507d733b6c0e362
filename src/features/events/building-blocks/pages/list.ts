import { actionPage, formPage, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { copyBlock, deleteBlock } from '../commands/blocks.ts'
import { blockHooks } from '../points.ts'
import { countShifts, loadBlocks } from '../queries.ts'
import { deleteBlockForm } from '../schema.ts'
import { deleteBlockView } from '../views/editor.ts'
import { BLOCKS, blockListView, blockPath } from '../views/list.ts'
import { access, assets, crumbs, findUses, requireBlock } from './block-page.ts'

const listPage = viewPage({
  path: BLOCKS,
  access,
  show: async ({ context: { words, db, now }, query }) => {
    const search = (query.get('search') ?? '').trim().slice(0, 255)
    const main = blockListView({ words, blocks: await loadBlocks(db), shifts: await countShifts(db, now), search })
    return { title: words.t('block.list'), breadcrumb: manageCrumbs(words), main, ...assets() }
  },
})

const copyPage = actionPage({
  path: `${BLOCKS}{id}/copy/`,
  access,
  form: emptyForm,
  submit: async (request) => {
    const { id, name } = await requireBlock(request)
    const { words } = request.context
    const copy = await copyBlock(request.commandContext, id, words.t('block.copy_name', { name }))
    if (copy === undefined) throw new Problem('not_found')
    return { redirect: blockPath(copy), flash: { kind: 'info', text: words.t('block.copied') } }
  },
})

const deletePage = formPage({
  path: `${BLOCKS}{id}/delete/`,
  access,
  form: deleteBlockForm,
  show: async (request, refused) => {
    const block = await requireBlock(request)
    const { words, now } = request.context
    const uses = await findUses(request.context, block.id)
    const seen = await blockHooks.of(request.context.site).findShiftIds(request.context.db, uses.ids, now)
    const main = deleteBlockView({ words, csrfToken: request.csrfToken, errors: refused?.errors ?? [], block, uses, seen })
    return { title: words.t('block.delete_title', { name: block.name }), breadcrumb: crumbs(words, block), main, ...assets() }
  },
  submit: async (request, { seen }) => {
    const { id } = await requireBlock(request)
    const { words } = request.context
    const outcome = await deleteBlock(request.commandContext, { id, seen })
    if (outcome.ok) return { redirect: BLOCKS, flash: { kind: 'good', text: words.t('block.deleted', { name: outcome.name }) } }
    if (outcome.reason === 'gone') throw new Problem('not_found')
    return { refused: [{ text: words.t('block.confirm_more') }], status: 409 }
  },
})

export const blockPages: Page[] = [listPage, copyPage, deletePage]
