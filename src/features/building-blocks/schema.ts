import { z } from 'zod'

/** A team structure as rules use it; compositions, positions and requirements are in the order of their ids. */
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
