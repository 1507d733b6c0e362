import type { Words } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'
import type { BlockForm, BuildingBlock } from '../schema.ts'

type StepResult = { draft: BlockForm['draft']; addPart: string; errors: FormError[]; focus?: string }

/** Handles buttons that add and remove rows; undefined for the save button. */
export function applyStep(words: Words, form: BlockForm, blocks: ReadonlyMap<number, BuildingBlock>): StepResult | undefined {
  const { draft, step, addPart } = form
  const plain = { draft, addPart, errors: [] }
  const { positions, compositions, requirements } = draft
  if (step === 'check' || step === 'back') return addPart && step === 'check' ? addPartByName(words, plain, blocks) : plain
  if (step === 'add_position') {
    const added = { id: null, label: '', optional: false, qualificationIds: [] }
    const focus = `position.${positions.length}.label`
    return { ...plain, draft: { ...draft, positions: [...positions, added] }, focus }
  }
  if (step === 'add_requirement') {
    const added = { id: null, everyone: true, atLeast: '', qualificationIds: [] }
    const focus = `requirement.${requirements.length}.at_least`
    return { ...plain, draft: { ...draft, requirements: [...requirements, added] }, focus }
  }
  if (step === 'add_part') return addPartByName(words, plain, blocks)
  const removed = /^remove\.(position|part|requirement)\.(\d{1,4})$/.exec(step)
  if (!removed) return undefined
  const without = <Row>(kind: string, rows: Row[]) =>
    removed[1] === kind ? rows.filter((_, index) => index !== Number(removed[2])) : rows
  return {
    ...plain,
    draft: {
      ...draft,
      positions: without('position', positions),
      compositions: without('part', compositions),
      requirements: without('requirement', requirements),
    },
  }
}

/** Finds the block by its full name (with its number if ambiguous) or by a unique part of it. */
function addPartByName(words: Words, plain: StepResult, blocks: ReadonlyMap<number, BuildingBlock>): StepResult {
  const { draft, addPart: name } = plain
  const wanted = name.toLocaleLowerCase()
  const all = [...blocks.values()]
  const exact = all.filter(
    (block) => block.name.toLocaleLowerCase() === wanted || `${block.name.toLocaleLowerCase()} #${block.id}` === wanted,
  )
  const found = exact.length ? exact : all.filter((block) => wanted && block.name.toLocaleLowerCase().includes(wanted))
  const refuse = (text: string): StepResult => ({ ...plain, errors: [{ field: 'add_part', text }], focus: 'add_part' })
  if (!found.length) return refuse(words.t('block.part_unknown', { name }))
  if (found.length > 1) {
    const list = words.list(found.slice(0, 5).map((block) => `${block.name} #${block.id}`))
    return refuse(words.t('block.part_many', { name, list }))
  }
  const added = { id: null, subBlockId: found[0]!.id, label: '', optional: false }
  const focus = `part.${draft.compositions.length}.label`
  return { draft: { ...draft, compositions: [...draft.compositions, added] }, addPart: '', errors: [], focus }
}
