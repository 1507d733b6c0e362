import { findCycle } from '#features/accounts/qualifications/rules/inclusion.ts'
import type { Words } from '#platform/i18n/words.ts'
import { type Countable, type HeadCount, headCount, MAX_DEPTH, MAX_PLACES } from './head-count.ts'

/** A block in the editor. New rows have a null id; numbers are text until they are checked. */
export type Draft = {
  name: string
  blockType: 'atomic' | 'composite'
  allowMore: boolean
  positions: DraftPosition[]
  compositions: DraftPart[]
  requirements: DraftRequirement[]
}
type DraftPosition = { id: number | null; label: string; optional: boolean; qualificationIds: number[] }
type DraftPart = { id: number | null; subBlockId: number; label: string; optional: boolean }
type DraftRequirement = { id: number | null; everyone: boolean; atLeast: string; qualificationIds: number[] }

/** `key`: the message; `field`: the form field. */
export type DraftError = { field: string; key: DraftErrorKey; params?: Record<string, string | number> }
type DraftErrorKey =
  | 'name_missing'
  | 'too_long'
  | 'no_positions'
  | 'no_parts'
  | 'unknown_block'
  | 'unknown_qualification'
  | 'requirement_empty'
  | 'at_least_wrong'
  | 'at_least_many'
  | 'cycle'
  | 'too_large'
  | 'too_many_rows'

type DraftContext = {
  /** Undefined for a new block. */
  id: number | undefined
  blocks: ReadonlyMap<number, Countable & { uuid: string; name: string }>
  qualificationIds: ReadonlySet<number>
}

const MAX_LENGTH = 255
const MAX_ROWS = 200
const MAX_AT_LEAST = 32_767

/** All errors in the order of the form. */
export function checkDraft(draft: Draft, context: DraftContext): DraftError[] {
  const cycle = findDraftCycle(draft, context)
  return [
    ...checkName(draft),
    ...(draft.blockType === 'atomic' ? checkPositions(draft, context) : checkParts(draft, context)),
    ...(cycle ? [{ field: 'add_part', key: 'cycle' as const, params: { path: cycle.join(' → ') } }] : checkSize(draft, context)),
    ...checkRequirements(draft, context, cycle ? undefined : headCount(draft, context.blocks)),
  ]
}

function checkName({ name }: Draft): DraftError[] {
  if (!name) return [{ field: 'name', key: 'name_missing' }]
  return name.length > MAX_LENGTH ? [{ field: 'name', key: 'too_long' }] : []
}

const judgeQualifications = (ids: readonly number[], field: string, { qualificationIds }: DraftContext): DraftError[] =>
  ids.every((id) => qualificationIds.has(id)) ? [] : [{ field, key: 'unknown_qualification' }]

function checkPositions({ positions, allowMore }: Draft, context: DraftContext): DraftError[] {
  if (!positions.length && !allowMore) return [{ field: 'add_position', key: 'no_positions' }]
  if (positions.length > MAX_ROWS) return [{ field: 'add_position', key: 'too_many_rows' }]
  return positions.flatMap(({ label, qualificationIds }, index) => [
    ...(label.length > MAX_LENGTH ? [{ field: `position.${index}.label`, key: 'too_long' as const }] : []),
    ...judgeQualifications(qualificationIds, `position.${index}.qualifications`, context),
  ])
}

function checkParts({ compositions }: Draft, { blocks }: DraftContext): DraftError[] {
  if (!compositions.length) return [{ field: 'add_part', key: 'no_parts' }]
  if (compositions.length > MAX_ROWS) return [{ field: 'add_part', key: 'too_many_rows' }]
  return compositions.flatMap(({ label, subBlockId }, index) => [
    ...(label.length > MAX_LENGTH ? [{ field: `part.${index}.label`, key: 'too_long' as const }] : []),
    ...(blocks.has(subBlockId) ? [] : [{ field: `part.${index}.label`, key: 'unknown_block' as const }]),
  ])
}

/** Identifies blocks by uuid; returns names for the message. */
function findDraftCycle({ name, compositions }: Draft, { id, blocks }: DraftContext): string[] | undefined {
  const own = id === undefined ? undefined : blocks.get(id)
  if (!own) return undefined
  const uuidOf = (blockId: number) => blocks.get(blockId)?.uuid
  const uuidsOf = (parts: readonly { subBlockId: number }[]) => parts.flatMap(({ subBlockId }) => uuidOf(subBlockId) ?? [])
  const edges = new Map([...blocks.values()].map((block) => [block.uuid, uuidsOf(block.compositions)]))
  const names = new Map(
    [...blocks.values()].map((block) => [block.uuid, block.uuid === own.uuid ? name || block.name : block.name]),
  )
  return findCycle(edges, own.uuid, uuidsOf(compositions))?.map((uuid) => names.get(uuid)!)
}

function checkSize(draft: Draft, { blocks }: DraftContext): DraftError[] {
  const { size, depth } = headCount(draft, blocks)
  return size > MAX_PLACES || depth > MAX_DEPTH ? [{ field: 'add_part', key: 'too_large', params: { most: MAX_PLACES } }] : []
}

function checkRequirements({ requirements }: Draft, context: DraftContext, count: HeadCount | undefined): DraftError[] {
  if (requirements.length > MAX_ROWS) return [{ field: 'add_requirement', key: 'too_many_rows' }]
  return requirements.flatMap(({ everyone, atLeast, qualificationIds }, index): DraftError[] => {
    const field = (name: string) => `requirement.${index}.${name}`
    const chosen: DraftError[] = qualificationIds.length
      ? judgeQualifications(qualificationIds, field('qualifications'), context)
      : [{ field: field('qualifications'), key: 'requirement_empty' }]
    if (everyone) return chosen
    const number = parseCount(atLeast)
    if (number === undefined) return [...chosen, { field: field('at_least'), key: 'at_least_wrong' }]
    const most = count?.max ?? null
    return most !== null && number > most
      ? [...chosen, { field: field('at_least'), key: 'at_least_many', params: { count: most } }]
      : chosen
  })
}

/** A whole number from 1 to the largest that can be stored. */
export function parseCount(text: string): number | undefined {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return number >= 1 && number <= MAX_AT_LEAST ? number : undefined
}

export function draftErrorText(words: Words, { key, params = {} }: DraftError): string {
  const { path = '', most = 0, count = 0 } = params
  if (key === 'cycle') return words.t('block.cycle', { path })
  if (key === 'too_large') return words.t('block.too_large', { most })
  if (key === 'at_least_many') return words.t('block.at_least_many', { count })
  return words.t(`block.${key}`)
}
