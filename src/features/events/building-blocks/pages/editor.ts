import type { RequestContext } from '#platform/auth/context.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'
import { changeBlock, createBlock, draftOf, type SaveOutcome } from '../commands/blocks.ts'
import { blockHooks } from '../points.ts'
import { findQualificationChoices, loadBlocks } from '../queries.ts'
import { draftErrorText } from '../rules/draft.ts'
import { type BlockForm, blockForm, type StoredBlock } from '../schema.ts'
import { confirmChangeView, type EditorData, editorView } from '../views/editor.ts'
import { BLOCKS, blockPath, newBlockPath } from '../views/list.ts'
import { access, assets, crumbs, findUses, requireBlock } from './block-page.ts'
import { applyStep } from './editor-steps.ts'

type Shown = Pick<EditorData, 'draft' | 'version'> & Partial<Pick<EditorData, 'errors' | 'focus' | 'addPart' | 'storedNow'>>

async function findQualificationNames({ db }: RequestContext): Promise<EditorData['names']> {
  return new Map((await findQualificationChoices(db)).map(({ id, title, short }) => [id, { title, short }]))
}

async function showEditor(request: PageRequest, shown: Shown, block?: StoredBlock): Promise<PageBody> {
  const { words } = request.context
  const kind = shown.draft.blockType
  const main = editorView({
    errors: [],
    addPart: '',
    ...shown,
    words,
    csrfToken: request.csrfToken,
    block,
    action: block ? blockPath(block.id) : newBlockPath(kind),
    blocks: await loadBlocks(request.context.db),
    names: await findQualificationNames(request.context),
    uses: block ? await findUses(request.context, block.id) : undefined,
  })
  return { title: block?.name ?? words.t(`block.new_${kind}`), breadcrumb: crumbs(words), main, ...assets() }
}

function toFormErrors(outcome: Extract<SaveOutcome, { reason: 'wrong' }>, words: Words): FormError[] {
  return outcome.complaints.map((complaint) => ({ field: complaint.field, text: draftErrorText(words, complaint) }))
}

const newPage = formPage({
  path: `${BLOCKS}new/`,
  access,
  form: blockForm,
  show: async (request) => {
    const sub = /^\d{1,15}$/.test(request.query.get('sub') ?? '') ? Number(request.query.get('sub')) : undefined
    const isComposite = request.query.get('kind') === 'composite'
    const known = isComposite && sub !== undefined && (await loadBlocks(request.context.db, [sub])).has(sub)
    const draft: BlockForm['draft'] = {
      name: '',
      allowMore: false,
      requirements: [],
      blockType: isComposite ? 'composite' : 'atomic',
      positions: isComposite ? [] : [{ id: null, label: '', optional: false, qualificationIds: [] }],
      compositions: known ? [{ id: null, subBlockId: sub, label: '', optional: false }] : [],
    }
    return showEditor(request, { draft, version: 0, focus: 'name' })
  },
  submit: async (request, form) => {
    const { words } = request.context
    const { draft } = form
    const stepped = applyStep(words, form, await loadBlocks(request.context.db))
    if (stepped) return showEditor(request, { version: 0, ...stepped })
    const outcome = await createBlock(request.commandContext, draft)
    if (outcome.ok) {
      const flash = { kind: 'good' as const, text: words.t('block.created', { name: draft.name }) }
      return { redirect: blockPath(outcome.id), flash }
    }
    const errors = outcome.reason === 'wrong' ? toFormErrors(outcome, words) : []
    return { ...(await showEditor(request, { draft, version: 0, errors, addPart: form.addPart })), status: 422 }
  },
})

const editPage = formPage({
  path: `${BLOCKS}{id}/`,
  access,
  form: blockForm,
  show: async (request) => {
    const block = await requireBlock(request)
    return showEditor(request, { draft: draftOf(block), version: block.version }, block)
  },
  submit: async (request, form) => {
    const block = await requireBlock(request)
    const { words } = request.context
    const { version, seen, addPart } = form
    const draft = { ...form.draft, blockType: block.blockType }
    const stepped = applyStep(words, { ...form, draft }, await loadBlocks(request.context.db))
    if (stepped) return showEditor(request, { version, ...stepped }, block)
    const outcome = await changeBlock(request.commandContext, { id: block.id, version, draft, seen })
    if (outcome.ok)
      return { redirect: blockPath(block.id), flash: { kind: 'good', text: words.t('block.saved', { name: draft.name }) } }
    if (outcome.reason === 'gone') throw new Problem('not_found')
    if (outcome.reason === 'unseen_shifts') return showConfirmation(request, block, { ...form, draft })
    if (outcome.reason === 'changed_meanwhile') {
      // From the primary database with its version, so that saving again overwrites the shown state.
      const storedNow = await requireBlock({ ...request, context: { ...request.context, db: request.commandContext.db } })
      const errors = [{ text: words.t('block.changed_meanwhile') }]
      const shown = { draft, version: storedNow.version, errors, addPart, storedNow }
      return { ...(await showEditor(request, shown, storedNow)), status: 409 }
    }
    const shown = { draft, version, errors: toFormErrors(outcome, words), addPart }
    return { ...(await showEditor(request, shown, block)), status: 422 }
  },
})

async function showConfirmation(request: PageRequest, block: StoredBlock, form: BlockForm): Promise<PageBody> {
  const { words, now } = request.context
  // From the primary database, because a replica may lag behind.
  const context = { ...request.context, db: request.commandContext.db }
  const { ids, shifts: named } = await findUses(context, block.id)
  const name = form.draft.name || block.name
  const main = confirmChangeView({
    words,
    csrfToken: request.csrfToken,
    action: blockPath(block.id),
    name,
    typed: form.typed,
    shifts: named,
    now,
    seen: await blockHooks.of(context.site).findShiftIds(context.db, ids, now),
    isAgain: form.step === 'confirm',
  })
  return { title: words.t('block.confirm_title', { name }), breadcrumb: crumbs(words, block), main, ...assets() }
}

export const editorPages: Page[] = [newPage, editPage]
