import type { BuildingBlock as StoredBlock } from '#features/events/building-blocks/schema.ts'
import type { Inclusions, Skills } from './model.ts'
import { covers, expandSkills } from './skills.ts'

/** A block as matching needs it: sub blocks are identified by id, not by uuid. */
export type BuildingBlock = Omit<StoredBlock, 'compositions'> & {
  compositions: readonly Omit<StoredBlock['compositions'][number], 'subBlockUuid'>[]
}

export type StartingBlock = { uuid: string; blockId: number; label: string; optional: boolean }

type UnitPosition = { id: number; label: string; required: boolean; needs: Skills }

/** One occurrence of an atomic block in the plan. */
export type Unit = {
  /** `root.<uuid of the starting block>.<composition id>.`, every part followed by a dot: independent of labels and order. */
  path: string
  blockId: number
  name: string
  /** Units of blocks with the same name are counted from 1. */
  number: number
  /** Labels, or else names, of the enclosing blocks from the outside in; the last one is the unit's own. */
  trail: readonly string[]
  positions: readonly UnitPosition[]
  /** Qualifications for additional people, any one set is enough. Null: no additional people. */
  more: readonly Skills[] | null
}

type Draft = Pick<Unit, 'blockId' | 'name' | 'trail' | 'positions' | 'more'> & { steps: readonly number[] }

const UNIT_PATH_KEYS = ['dispatched_unit_path', 'preferred_unit_path'] as const

/** Structure data with unit paths that end with a dot. Old rows lack the last dot. */
export function normalizeUnitPaths(structureData: unknown): Record<string, unknown> {
  const data: Record<string, unknown> = typeof structureData === 'object' && structureData !== null ? { ...structureData } : {}
  for (const key of UNIT_PATH_KEYS) {
    const path = data[key]
    if (typeof path === 'string' && path !== '' && !path.endsWith('.')) data[key] = `${path}.`
  }
  return data
}

/** Nested blocks multiply, so a small configuration can describe a huge plan; these limits bound the memory. */
const MAX_PLACES = 20_000
const MAX_DEPTH = 64

const byId = (a: { id: number }, b: { id: number }) => a.id - b.id
const union = (a: Iterable<number>, b: Iterable<number>): Skills => new Set([...a, ...b])

/** The units of a plan in the order of its blocks. Skips missing blocks; null if blocks contain each other or a limit is exceeded. */
export function expandUnits(
  startingBlocks: readonly StartingBlock[],
  blocks: ReadonlyMap<number, BuildingBlock>,
  inclusions: Inclusions,
): Unit[] | null {
  const known = new Map<number, Draft[] | null>()
  const units: Unit[] = []
  const numbers = new Map<string, number>()
  let size = 0
  for (const { uuid, blockId, label, optional } of startingBlocks) {
    const block = blocks.get(blockId)
    if (!block) continue
    const drafts = expandBlock(block, { blocks, inclusions, known, above: new Set() })
    if (!drafts) return null
    size += sizeOf(drafts)
    if (size > MAX_PLACES) return null
    for (const { steps, ...draft } of addLabel(drafts, label || block.name, optional)) {
      const number = (numbers.get(draft.name) ?? 0) + 1
      numbers.set(draft.name, number)
      units.push({ ...draft, path: ['root', uuid, ...steps, ''].join('.'), number })
    }
  }
  return units
}

type ExpandContext = {
  blocks: ReadonlyMap<number, BuildingBlock>
  inclusions: Inclusions
  known: Map<number, Draft[] | null>
  above: Set<number>
}

/** Expands a block independently of its parents: its requirements apply to its own positions only. */
function expandBlock(block: BuildingBlock, context: ExpandContext): Draft[] | null {
  const { known, above } = context
  const cached = known.get(block.id)
  if (cached !== undefined) return cached
  if (above.has(block.id) || above.size >= MAX_DEPTH) return null
  above.add(block.id)
  const bare = block.blockType === 'atomic' ? [atomicUnit(block)] : compositeUnits(block, context)
  above.delete(block.id)
  const drafts = bare ? applyRequirements(bare, block, context.inclusions) : null
  known.set(block.id, drafts)
  return drafts
}

function atomicUnit(block: BuildingBlock): Draft {
  const positions = [...block.positions].sort(byId).map(({ id, label, optional, qualificationIds }) => ({
    id,
    label,
    required: !optional,
    needs: new Set(qualificationIds),
  }))
  const more = positions.length ? positions.map(({ needs }) => needs) : [new Set<number>()]
  return { blockId: block.id, name: block.name, trail: [], steps: [], positions, more: block.allowMore ? more : null }
}

function compositeUnits(block: BuildingBlock, context: ExpandContext): Draft[] | null {
  const drafts: Draft[] = []
  let size = 0
  for (const { id, label, optional, subBlockId } of [...block.compositions].sort(byId)) {
    const subBlock = context.blocks.get(subBlockId)
    if (!subBlock) continue
    const inner = expandBlock(subBlock, context)
    if (!inner) return null
    size += sizeOf(inner)
    if (size > MAX_PLACES) return null
    for (const draft of addLabel(inner, label || subBlock.name, optional)) drafts.push({ ...draft, steps: [id, ...draft.steps] })
  }
  return drafts
}

function addLabel(drafts: readonly Draft[], label: string, optional: boolean): Draft[] {
  return drafts.map((draft) => ({
    ...draft,
    trail: [label, ...draft.trail],
    positions: optional ? draft.positions.map((position) => ({ ...position, required: false })) : draft.positions,
  }))
}

function applyRequirements(bare: readonly Draft[], { requirements }: BuildingBlock, inclusions: Inclusions): Draft[] {
  const ordered = [...requirements].sort(byId)
  const everyone = ordered.filter((one) => one.everyone).flatMap((one) => one.qualificationIds)
  const units = bare.map((draft) => ({
    ...draft,
    positions: draft.positions.map((position) => ({ ...position, needs: union(position.needs, everyone) })),
    more: draft.more?.map((needs) => union(needs, everyone)) ?? null,
  }))
  const required = units.flatMap(({ positions }) => positions.filter((position) => position.required))
  for (const { atLeast, qualificationIds } of ordered) {
    const wanted = new Set(qualificationIds)
    const covered = required.filter(({ needs }) => covers(expandSkills(needs, inclusions), wanted)).length
    const others = required.filter(({ needs }) => !covers(expandSkills(needs, inclusions), wanted))
    for (const position of others.slice(0, Math.max(atLeast - covered, 0))) position.needs = union(position.needs, wanted)
  }
  return units
}

function sizeOf(drafts: readonly Draft[]): number {
  return drafts.reduce((sum, { positions }) => sum + 1 + positions.length, 0)
}
