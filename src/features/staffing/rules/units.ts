import type { BuildingBlock as StoredBlock } from '#features/building-blocks/schema.ts'
import type { Inclusions, Skills } from './model.ts'
import { covers, expandSkills } from './skills.ts'

/** What the plan needs of a block: ids tell sub blocks apart here, uuids elsewhere. */
export type BuildingBlock = Omit<StoredBlock, 'compositions'> & {
  compositions: readonly Omit<StoredBlock['compositions'][number], 'subBlockUuid'>[]
}

export type StartingBlock = { uuid: string; blockId: number; label: string; optional: boolean }

export type UnitPosition = { id: number; label: string; required: boolean; needs: Skills }

/** One atomic block at one place of the plan. */
export type Unit = {
  /** `root.<uuid of the starting block>.<composition id>…`: stays the same when labels or the order change. */
  path: string
  blockId: number
  name: string
  /** Units of blocks with the same name are counted from 1. */
  number: number
  /** Labels, or else names, of what the unit is part of, from the outside in; the last is its own. */
  trail: readonly string[]
  positions: readonly UnitPosition[]
  /** What additional people need: any one of these sets. Null: no more people than positions. */
  more: readonly Skills[] | null
}

type Draft = Pick<Unit, 'blockId' | 'name' | 'trail' | 'positions' | 'more'> & { steps: readonly number[] }

/** Blocks can contain one block many times on many levels; beyond these sizes a plan is a mistake and not worth the memory. */
const MAX_PLACES = 20_000
const MAX_DEPTH = 64

const byId = (a: { id: number }, b: { id: number }) => a.id - b.id
const union = (a: Iterable<number>, b: Iterable<number>): Skills => new Set([...a, ...b])

/** The units of a plan in the order of its blocks. Missing blocks are left out; null if blocks contain each other or the plan is absurd. */
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
    for (const { steps, ...draft } of part(drafts, label || block.name, optional)) {
      const number = (numbers.get(draft.name) ?? 0) + 1
      numbers.set(draft.name, number)
      units.push({ ...draft, path: ['root', uuid, ...steps].join('.'), number })
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

/** A block by itself, whatever it is part of: its conditions choose among its own positions only. */
function expandBlock(block: BuildingBlock, context: ExpandContext): Draft[] | null {
  const { known, above } = context
  const before = known.get(block.id)
  if (before !== undefined) return before
  if (above.has(block.id) || above.size >= MAX_DEPTH) return null
  above.add(block.id)
  const bare = block.blockType === 'atomic' ? [atomicUnit(block)] : compositeUnits(block, context)
  above.delete(block.id)
  const drafts = bare ? withConditions(bare, block, context.inclusions) : null
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
    for (const draft of part(inner, label || subBlock.name, optional)) drafts.push({ ...draft, steps: [id, ...draft.steps] })
  }
  return drafts
}

function part(drafts: readonly Draft[], label: string, optional: boolean): Draft[] {
  return drafts.map((draft) => ({
    ...draft,
    trail: [label, ...draft.trail],
    positions: optional ? draft.positions.map((position) => ({ ...position, required: false })) : draft.positions,
  }))
}

function withConditions(bare: readonly Draft[], { requirements }: BuildingBlock, inclusions: Inclusions): Draft[] {
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
    const anyway = required.filter(({ needs }) => covers(expandSkills(needs, inclusions), wanted)).length
    const others = required.filter(({ needs }) => !covers(expandSkills(needs, inclusions), wanted))
    for (const position of others.slice(0, Math.max(atLeast - anyway, 0))) position.needs = union(position.needs, wanted)
  }
  return units
}

function sizeOf(drafts: readonly Draft[]): number {
  return drafts.reduce((sum, { positions }) => sum + 1 + positions.length, 0)
}
