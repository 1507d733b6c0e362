import { z } from 'zod'
import type { RequestContext, WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { type InputError, Problem, requireFound } from '#platform/http/problem.ts'
import { bodyLine } from '#platform/single-line.ts'
import { changeBlock, createBlock, deleteBlock, draftOf, type SaveOutcome } from '../commands/blocks.ts'
import { blockHooks } from '../points.ts'
import { findContainers, getBlock, loadBlocks } from '../queries.ts'
import { type Draft, type DraftError, draftErrorText } from '../rules/draft.ts'
import { buildingBlockRecord } from '../schema.ts'
import { presentBlock } from './reads.ts'

const MAX_ROWS = 300
const rowId = z.int().optional().describe('Of a row that stays; without it, the row is new')
const qualifications = z
  .array(z.int())
  .max(MAX_ROWS)
  .transform((ids) => [...new Set(ids)])

const fields = {
  name: bodyLine.meta({ minLength: 1, maxLength: 255 }),
  allow_more: z.boolean().describe('Atomic blocks: more people than positions may join'),
  positions: z
    .array(
      z.strictObject({
        id: rowId,
        label: bodyLine.meta({ maxLength: 255 }).default(''),
        optional: z.boolean().default(false),
        qualifications: qualifications.default([]),
      }),
    )
    .max(MAX_ROWS)
    .describe('Atomic blocks only. Rows that are absent are deleted.'),
  sub_compositions: z
    .array(
      z.strictObject({
        id: rowId,
        label: bodyLine.meta({ maxLength: 255 }).default(''),
        optional: z.boolean().default(false),
        sub_block: z.uuid().describe('The uuid of the block that stands here'),
      }),
    )
    .max(MAX_ROWS)
    .describe('Composite blocks only. Rows that are absent are deleted.'),
  qualification_requirements: z
    .array(
      z.strictObject({
        id: rowId,
        qualifications,
        everyone: z.boolean().default(false).describe('Everybody in the block needs them'),
        at_least: z.int().meta({ minimum: 0, maximum: 32_767 }).default(0).describe('Otherwise, so many people need them'),
      }),
    )
    .max(MAX_ROWS),
}
const { name, ...parts } = fields
const optionalParts = z.object(parts).partial().shape
const confirm = z
  .boolean()
  .default(false)
  .describe('Confirms that current and upcoming shifts use the block; otherwise the write is refused with `unseen_shifts`')

const newBlockBody = z.strictObject({ name, block_type: z.enum(['atomic', 'composite']), ...optionalParts }).meta({
  example: {
    name: 'Ambulance',
    block_type: 'atomic',
    positions: [
      { label: 'Driver', qualifications: [3] },
      { label: 'Trainee', optional: true },
    ],
  },
})
const blockBody = z
  .strictObject({ name: name.optional(), ...optionalParts, confirm_shifts: confirm })
  .meta({ example: { name: 'Large ambulance', confirm_shifts: true } })
const deleteBody = z.strictObject({ confirm_shifts: confirm }).meta({ example: { confirm_shifts: true } })
type Parts = Partial<Omit<z.infer<typeof blockBody>, 'confirm_shifts'>>

const tag = 'buildingblocks'
const access = scope('PUBLIC_WRITE', 'change_building_block')
const BLOCK = { description: 'The building block', schema: buildingBlockRecord, access: scope('PUBLIC_READ') }

async function present(context: RequestContext, id: number): Promise<object | undefined> {
  const block = await getBlock(context, id)
  return block && presentBlock(block)
}

/** The draft with what the body changes; parts of the other kind of block are mistakes. */
async function readDraft({ db, words }: WriteContext, body: Parts, before: Draft): Promise<Draft> {
  const wrong = before.blockType === 'atomic' ? ('sub_compositions' in body ? ['sub_compositions'] : []) : unfit(body)
  if (wrong.length) {
    const detail = words.t('block.other_kind')
    throw new Problem('invalid_input', { errors: wrong.map((key) => ({ pointer: `/${key}`, code: 'other_kind', detail })) })
  }
  const idByUuid = new Map(body.sub_compositions ? [...(await loadBlocks(db)).values()].map(({ id, uuid }) => [uuid, id]) : [])
  return {
    ...before,
    name: body.name ?? before.name,
    allowMore: body.allow_more ?? before.allowMore,
    positions:
      body.positions?.map(({ id = null, label, optional, qualifications: ids }) => ({
        id,
        label,
        optional,
        qualificationIds: ids,
      })) ?? before.positions,
    compositions:
      body.sub_compositions?.map(({ id = null, label, optional, sub_block }) => ({
        id,
        label,
        optional,
        subBlockId: idByUuid.get(sub_block.toLowerCase()) ?? 0,
      })) ?? before.compositions,
    requirements:
      body.qualification_requirements?.map(({ id = null, qualifications: ids, everyone, at_least }) => ({
        id,
        everyone,
        atLeast: String(at_least),
        qualificationIds: ids,
      })) ?? before.requirements,
  }
}
const unfit = (body: Parts): string[] => ['positions', ...(body.allow_more ? ['allow_more'] : [])].filter((key) => key in body)

const ROWS: Record<string, string> = {
  position: 'positions',
  part: 'sub_compositions',
  requirement: 'qualification_requirements',
}

/** `position.0.label` of the editor is `/positions/0/label`. */
function pointerOf({ field, key }: DraftError): string {
  const added = /^add_(\w+)$/.exec(field)?.[1]
  if (added) return `/${ROWS[added]}`
  const [kind, row, name] = field.split('.')
  if (row === undefined) return `/${field}`
  return `/${ROWS[kind!]}/${row}/${key === 'unknown_block' ? 'sub_block' : name}`
}

function refusalOf({ words }: WriteContext, outcome: Extract<SaveOutcome, { ok: false }>): Problem {
  if (outcome.reason === 'gone') return new Problem('not_found')
  if (outcome.reason === 'changed_meanwhile') return new Problem('conflict', { headers: { 'retry-after': '1' } })
  if (outcome.reason === 'unseen_shifts') return unseenShifts(words.t('block.confirm_more'))
  const errors = outcome.complaints.map(
    (complaint): InputError => ({
      pointer: pointerOf(complaint),
      code: complaint.key,
      detail: draftErrorText(words, complaint),
    }),
  )
  return new Problem('invalid_input', { errors })
}

const unseenShifts = (detail: string): Problem =>
  new Problem('refused', { errors: [{ pointer: '/confirm_shifts', code: 'unseen_shifts', detail }] })

const makeWrites = (): Endpoint[] => {
  /** With a confirmation, all shifts count as seen. */
  const findSeen = async ({ db, now, site }: WriteContext, id: number, isConfirmed: boolean): Promise<number[]> =>
    isConfirmed ? blockHooks.of(site).findShiftIds(db, (await findContainers(db, id)).ids, now) : []
  return [
    writeEndpoint({
      method: 'POST',
      path: '/api/buildingblocks/',
      access,
      name: 'Building Block List',
      operationId: 'buildingblocks_create',
      tag,
      summary: 'Create a building block',
      body: newBlockBody,
      responses: { 201: BLOCK },
      perform: async (context, _path, { block_type: blockType, ...body }) => {
        const empty = { name: '', blockType, allowMore: false, positions: [], compositions: [], requirements: [] }
        const outcome = await createBlock(context, await readDraft(context, body, empty))
        if (!outcome.ok) throw refusalOf(context, outcome)
        const headers = { location: `${context.site.url}/api/buildingblocks/${outcome.id}/` }
        return { status: 201, body: await present(context, outcome.id), headers }
      },
    }),
    writeEndpoint({
      method: 'PATCH',
      path: '/api/buildingblocks/{id}/',
      access,
      name: 'Building Block Instance',
      operationId: 'buildingblocks_update',
      tag,
      summary: 'Change a building block and every shift that uses it',
      description: 'Keys that are absent stay as they are. Lists replace the stored ones; rows keep their place by their id.',
      body: blockBody,
      target: (context, { id }) => present(context, id),
      responses: { 200: BLOCK },
      perform: async (context, { id }, { confirm_shifts, ...body }) => {
        const block = requireFound((await loadBlocks(context.db, [id])).get(id))
        const draft = await readDraft(context, body, draftOf(block))
        const seen = await findSeen(context, id, confirm_shifts)
        const outcome = await changeBlock(context, { id, version: block.version, draft, seen })
        if (!outcome.ok) throw refusalOf(context, outcome)
        return { status: 200, body: await present(context, id) }
      },
    }),
    writeEndpoint({
      method: 'DELETE',
      path: '/api/buildingblocks/{id}/',
      access,
      name: 'Building Block Instance',
      operationId: 'buildingblocks_delete',
      tag,
      summary: 'Delete a building block, and remove it from shifts and other blocks',
      body: deleteBody,
      target: (context, { id }) => present(context, id),
      responses: { 204: { description: 'Deleted' } },
      perform: async (context, { id }, { confirm_shifts }) => {
        const outcome = await deleteBlock(context, { id, seen: await findSeen(context, id, confirm_shifts) })
        if (outcome.ok) return { status: 204 }
        if (outcome.reason === 'gone') throw new Problem('not_found')
        throw unseenShifts(context.words.t('block.confirm_more'))
      },
    }),
  ]
}

export const buildingBlockWrites: Endpoint[] = makeWrites()
