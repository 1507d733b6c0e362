import { z } from 'zod'
import { fieldValues } from '#platform/ui/form-values.ts'

/** Compositions, positions and requirements are ordered by id. */
export type BuildingBlock = {
  id: number
  uuid: string
  name: string
  blockType: 'atomic' | 'composite'
  allowMore: boolean
  positions: readonly { id: number; label: string; optional: boolean; qualificationIds: readonly number[] }[]
  compositions: readonly { id: number; label: string; optional: boolean; subBlockId: number; subBlockUuid: string }[]
  requirements: readonly { id: number; qualificationIds: readonly number[]; everyone: boolean; atLeast: number }[]
}

/** Every edit of the block increases the version. */
export type StoredBlock = BuildingBlock & { version: number }

const qualificationIds = z.array(z.int()).describe('Ids of qualifications, not their uuids')

const subCompositionRecord = z.strictObject({
  id: z.int(),
  label: z.string(),
  optional: z.boolean(),
  sub_block: z.uuid().describe('The uuid of the block that stands here'),
})

const requirementRecord = z.strictObject({
  id: z.int(),
  qualifications: qualificationIds,
  everyone: z.boolean().describe('Everybody in the block needs them'),
  at_least: z.int().describe('Otherwise, so many people need them'),
})

const positionRecord = z.strictObject({
  id: z.int(),
  label: z.string(),
  optional: z.boolean(),
  qualifications: qualificationIds,
})

export const buildingBlockRecord = z
  .strictObject({
    id: z.int(),
    uuid: z.uuid(),
    name: z.string(),
    block_type: z.enum(['atomic', 'composite']),
    sub_compositions: z.array(subCompositionRecord).describe('Composite blocks only'),
    allow_more: z.boolean().describe('More people than positions may join'),
    qualification_requirements: z.array(requirementRecord),
    positions: z.array(positionRecord).describe('Atomic blocks only'),
  })
  .meta({
    id: 'BuildingBlock',
    description: 'A team structure that shifts are built from: positions of its own, or other blocks.',
    examples: [
      {
        id: 4,
        uuid: '0b9d2c1e-6a4f-4e0b-8c3d-5f2a7e9b1c60',
        name: 'Ambulance',
        block_type: 'atomic',
        sub_compositions: [],
        allow_more: false,
        qualification_requirements: [{ id: 2, qualifications: [1], everyone: true, at_least: 0 }],
        positions: [
          { id: 7, label: 'Driver', optional: false, qualifications: [3, 5] },
          { id: 8, label: 'Trainee', optional: true, qualifications: [] },
        ],
      },
    ],
  })

type Typed = Record<string, string | string[]>
/** The raw input of the editor. The rules check it, so that the form can show it again. */
export type BlockForm = {
  typed: Typed
  draft: {
    name: string
    blockType: 'atomic' | 'composite'
    allowMore: boolean
    positions: { id: number | null; label: string; optional: boolean; qualificationIds: number[] }[]
    compositions: { id: number | null; subBlockId: number; label: string; optional: boolean }[]
    requirements: { id: number | null; everyone: boolean; atLeast: string; qualificationIds: number[] }[]
  }
  version: number
  /** The pressed button, for example `save`, `add_position`, `remove.position.2`. */
  step: string
  addPart: string
  /** Ids of the shifts that were shown. */
  seen: number[]
}

const ID = /^\d{1,15}$/
const MAX_ROWS = 300

function parseBlockForm(typed: Typed): BlockForm {
  const all = (name: string): string[] => fieldValues(typed, name).map((value) => value.replaceAll('\0', ''))
  const one = (name: string): string => (all(name)[0] ?? '').trim()
  const idIn = (name: string): number | null => (ID.test(one(name)) ? Number(one(name)) : null)
  const idsIn = (name: string): number[] => [
    ...new Set(
      all(name)
        .filter((value) => ID.test(value))
        .map(Number),
    ),
  ]
  const has = (name: string): boolean => typed[name] !== undefined
  // Every row has a hidden id field (empty for new rows), so that empty rows are found, too.
  const rowsOf = (kind: string): number[] =>
    Object.keys(typed)
      .flatMap((name) => {
        const found = new RegExp(`^${kind}\\.(\\d{1,4})\\.id$`).exec(name)
        return found ? [Number(found[1])] : []
      })
      .sort((a, b) => a - b)
      .slice(0, MAX_ROWS)
  return {
    typed,
    draft: {
      name: one('name'),
      blockType: one('block_type') === 'composite' ? 'composite' : 'atomic',
      allowMore: has('allow_more'),
      positions: rowsOf('position').map((row) => ({
        id: idIn(`position.${row}.id`),
        label: one(`position.${row}.label`),
        optional: has(`position.${row}.optional`),
        qualificationIds: idsIn(`position.${row}.qualifications`),
      })),
      compositions: rowsOf('part').map((row) => ({
        id: idIn(`part.${row}.id`),
        label: one(`part.${row}.label`),
        optional: has(`part.${row}.optional`),
        subBlockId: idIn(`part.${row}.block`) ?? 0,
      })),
      requirements: rowsOf('requirement').map((row) => ({
        id: idIn(`requirement.${row}.id`),
        everyone: one(`requirement.${row}.kind`) !== 'at_least',
        atLeast: one(`requirement.${row}.at_least`),
        qualificationIds: idsIn(`requirement.${row}.qualifications`),
      })),
    },
    version: idIn('version') ?? 0,
    step: one('step') || 'save',
    addPart: one('add_part'),
    seen: one('seen')
      .split(',')
      .filter((value) => ID.test(value))
      .map(Number),
  }
}

export const blockForm = z.record(z.string(), z.union([z.string(), z.array(z.string())])).transform(parseBlockForm)

export const deleteBlockForm = z.object({
  seen: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .filter((value) => ID.test(value))
        .map(Number),
    ),
})
