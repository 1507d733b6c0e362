import { findCycle } from '#features/qualifications/rules/inclusion.ts'
import { type Countable, DEEPEST, type HeadCount, headCount, MOST_PLACES } from './head-count.ts'

/** A block as somebody is typing it. Ids are null for rows that are new; numbers stay text until they are judged. */
export type Draft = {
  name: string
  blockType: 'atomic' | 'composite'
  allowMore: boolean
  positions: DraftPosition[]
  compositions: DraftPart[]
  requirements: DraftRequirement[]
}
export type DraftPosition = { id: number | null; label: string; optional: boolean; qualificationIds: number[] }
export type DraftPart = { id: number | null; subBlockId: number; label: string; optional: boolean }
export type DraftRequirement = { id: number | null; everyone: boolean; atLeast: string; qualificationIds: number[] }

/** `key` is the sentence to say; `field` where it belongs. */
export type Complaint = { field: string; key: ComplaintKey; params?: Record<string, string | number> }
export type ComplaintKey =
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

type Around = {
  /** Of the block that is being changed; undefined for a new one. */
  id: number | undefined
  blocks: ReadonlyMap<number, Countable & { uuid: string; name: string }>
  qualificationIds: ReadonlySet<number>
}

const LONGEST = 255
const MOST_ROWS = 200
const MOST_AT_LEAST = 32_767

/** Everything that keeps a draft from being saved, the first first. */
export function judgeDraft(draft: Draft, around: Around): Complaint[] {
  const cycle = cycleOf(draft, around)
  return [
    ...judgeName(draft),
    ...(draft.blockType === 'atomic' ? judgePositions(draft, around) : judgeParts(draft, around)),
    ...(cycle ? [{ field: 'add_part', key: 'cycle' as const, params: { path: cycle.join(' → ') } }] : judgeSize(draft, around)),
    ...judgeRequirements(draft, around, cycle ? undefined : headCount(draft, around.blocks)),
  ]
}

function judgeName({ name }: Draft): Complaint[] {
  if (!name) return [{ field: 'name', key: 'name_missing' }]
  return name.length > LONGEST ? [{ field: 'name', key: 'too_long' }] : []
}

const judgeQualifications = (ids: readonly number[], field: string, { qualificationIds }: Around): Complaint[] =>
  ids.every((id) => qualificationIds.has(id)) ? [] : [{ field, key: 'unknown_qualification' }]

function judgePositions({ positions, allowMore }: Draft, around: Around): Complaint[] {
  if (!positions.length && !allowMore) return [{ field: 'add_position', key: 'no_positions' }]
  if (positions.length > MOST_ROWS) return [{ field: 'add_position', key: 'too_many_rows' }]
  return positions.flatMap(({ label, qualificationIds }, index) => [
    ...(label.length > LONGEST ? [{ field: `position.${index}.label`, key: 'too_long' as const }] : []),
    ...judgeQualifications(qualificationIds, `position.${index}.qualifications`, around),
  ])
}

function judgeParts({ compositions }: Draft, { blocks }: Around): Complaint[] {
  if (!compositions.length) return [{ field: 'add_part', key: 'no_parts' }]
  if (compositions.length > MOST_ROWS) return [{ field: 'add_part', key: 'too_many_rows' }]
  return compositions.flatMap(({ label, subBlockId }, index) => [
    ...(label.length > LONGEST ? [{ field: `part.${index}.label`, key: 'too_long' as const }] : []),
    ...(blocks.has(subBlockId) ? [] : [{ field: `part.${index}.label`, key: 'unknown_block' as const }]),
  ])
}

/** Told apart by uuid, which is what a block is everywhere; names are for the reader. */
function cycleOf({ name, compositions }: Draft, { id, blocks }: Around): string[] | undefined {
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

function judgeSize(draft: Draft, { blocks }: Around): Complaint[] {
  const { size, depth } = headCount(draft, blocks)
  return size > MOST_PLACES || depth > DEEPEST ? [{ field: 'add_part', key: 'too_large', params: { most: MOST_PLACES } }] : []
}

function judgeRequirements({ requirements }: Draft, around: Around, count: HeadCount | undefined): Complaint[] {
  if (requirements.length > MOST_ROWS) return [{ field: 'add_requirement', key: 'too_many_rows' }]
  return requirements.flatMap(({ everyone, atLeast, qualificationIds }, index): Complaint[] => {
    const field = (name: string) => `requirement.${index}.${name}`
    const chosen: Complaint[] = qualificationIds.length
      ? judgeQualifications(qualificationIds, field('qualifications'), around)
      : [{ field: field('qualifications'), key: 'requirement_empty' }]
    if (everyone) return chosen
    const number = readCount(atLeast)
    if (number === undefined) return [...chosen, { field: field('at_least'), key: 'at_least_wrong' }]
    const most = count?.max ?? null
    return most !== null && number > most
      ? [...chosen, { field: field('at_least'), key: 'at_least_many', params: { count: most } }]
      : chosen
  })
}

/** A whole number from 1 that can be stored. */
export function readCount(text: string): number | undefined {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return number >= 1 && number <= MOST_AT_LEAST ? number : undefined
}
