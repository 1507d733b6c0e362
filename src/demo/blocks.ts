import type { BuildingBlock } from '#features/staffing/staffing/rules/units.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { inLanguage, type SampleText } from '#platform/sample-data/language.ts'
import type { Random } from '#platform/sample-data/random.ts'
import type { QualificationKey, Qualifications } from './qualifications.ts'

type PositionPlan<Text = string> = { label: Text | ''; optional?: true; needs: readonly QualificationKey[] }
type AtomicPlan<Text = string> = {
  name: Text
  allowMore?: true
  positions: readonly PositionPlan<Text>[]
  everyone?: readonly QualificationKey[]
  atLeast?: { count: number; needs: readonly QualificationKey[] }
}
type CompositePlan<Text = string> = {
  name: Text
  parts: readonly { of: string; label: Text; optional?: true }[]
  everyone?: readonly QualificationKey[]
}

const ATOMIC = {
  ambulance: {
    name: { en: 'Ambulance', de: 'Rettungswagen' },
    positions: [
      { label: { en: 'Driver', de: 'Fahrer:in' }, needs: ['RS', 'B'] },
      { label: { en: 'Lead paramedic', de: 'Transportführung' }, needs: ['NotSan'] },
      { label: { en: 'Trainee', de: 'Praktikum' }, optional: true, needs: ['SanH'] },
    ],
    everyone: ['EH'],
  },
  post: {
    name: { en: 'First aid team', de: 'Sanitätstrupp' },
    allowMore: true,
    positions: [
      { label: { en: 'Team leader', de: 'Truppführung' }, needs: ['SanH'] },
      { label: { en: 'Helper', de: 'Helfer:in' }, needs: ['EH'] },
    ],
    everyone: ['EH'],
  },
  squad: {
    name: { en: 'Attack team', de: 'Angriffstrupp' },
    positions: [
      { label: '', needs: ['AGT'] },
      { label: '', needs: ['AGT'] },
    ],
    everyone: ['TM'],
    atLeast: { count: 1, needs: ['TF'] },
  },
  crew: {
    name: { en: 'Vehicle crew', de: 'Fahrzeugbesatzung' },
    positions: [
      { label: { en: 'Crew manager', de: 'Gruppenführung' }, needs: ['GF'] },
      { label: { en: 'Pump operator', de: 'Maschinist:in' }, needs: ['C', 'TM'] },
      { label: { en: 'Messenger', de: 'Melder:in' }, optional: true, needs: ['TM'] },
    ],
  },
  command: {
    name: { en: 'Command post', de: 'Einsatzleitung' },
    positions: [
      { label: { en: 'Sector commander', de: 'Abschnittsleitung' }, needs: ['GF'] },
      { label: { en: 'Radio', de: 'Funk' }, optional: true, needs: ['Funk'] },
    ],
  },
} as const satisfies Record<string, AtomicPlan<SampleText>>

const COMPOSITE = {
  engine: {
    name: { en: 'Fire engine', de: 'Löschfahrzeug' },
    parts: [
      { of: 'crew', label: { en: 'Crew', de: 'Besatzung' } },
      { of: 'squad', label: { en: 'Team 1', de: '1. Trupp' } },
      { of: 'squad', label: { en: 'Team 2', de: '2. Trupp' }, optional: true },
    ],
  },
  medicalArea: {
    name: { en: 'Treatment area', de: 'Behandlungsplatz' },
    parts: [
      { of: 'post', label: { en: 'Triage', de: 'Sichtung' } },
      { of: 'post', label: { en: 'Treatment', de: 'Behandlung' } },
      { of: 'ambulance', label: { en: 'Transport', de: 'Transport' }, optional: true },
    ],
    everyone: ['EH'],
  },
} as const satisfies Record<string, CompositePlan<SampleText>>

type AtomicKey = keyof typeof ATOMIC
type CompositeKey = keyof typeof COMPOSITE
export type BlockKey = AtomicKey | CompositeKey

export type Blocks = { idOf: Record<BlockKey, number>; byId: Map<number, BuildingBlock> }

type Loading = { tx: Tx; qualifications: Qualifications; random: Random; idOf: Record<string, number> }

export async function loadBlocks(
  tx: Tx,
  { random, qualifications, language }: { random: Random; qualifications: Qualifications; language: SourceLanguage },
): Promise<Blocks> {
  const loading: Loading = { tx, qualifications, random, idOf: {} }
  const byId = new Map<number, BuildingBlock>()
  // Composite blocks come after the atomic ones that they name.
  for (const [key, plan] of Object.entries<AtomicPlan | CompositePlan>(inLanguage({ ...ATOMIC, ...COMPOSITE }, language))) {
    const block = await loadBlock(loading, plan)
    loading.idOf[key] = block.id
    byId.set(block.id, block)
  }
  return { idOf: loading.idOf as Record<BlockKey, number>, byId }
}

async function loadBlock(loading: Loading, plan: AtomicPlan | CompositePlan): Promise<BuildingBlock> {
  const { tx, random } = loading
  const head = {
    uuid: random.uuid(),
    name: plan.name,
    blockType: 'positions' in plan ? ('atomic' as const) : ('composite' as const),
    allowMore: 'allowMore' in plan,
  }
  const { id } = await tx
    .insertInto('building_block')
    .values({ uuid: head.uuid, name: head.name, block_type: head.blockType, allow_more: head.allowMore })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    ...head,
    id,
    positions: 'positions' in plan ? await loadPositions(loading, id, plan) : [],
    compositions: 'parts' in plan ? await loadParts(loading, id, plan) : [],
    requirements: await loadRequirements(loading, id, plan),
  }
}

async function loadPositions(
  { tx, qualifications }: Loading,
  blockId: number,
  { positions }: AtomicPlan,
): Promise<BuildingBlock['positions']> {
  const rows = await tx
    .insertInto('block_position')
    .values(positions.map(({ label, optional = false }) => ({ block_id: blockId, label, optional })))
    .returning(['id', 'label', 'optional'])
    .execute()
  const loaded = rows.map((row, index) => ({
    ...row,
    qualificationIds: positions[index]!.needs.map((key) => qualifications.idOf[key]),
  }))
  await tx
    .insertInto('block_position_qualification')
    .values(
      loaded.flatMap(({ id, qualificationIds }) =>
        qualificationIds.map((qualification_id) => ({ position_id: id, qualification_id })),
      ),
    )
    .execute()
  return loaded
}

async function loadParts(
  { tx, idOf }: Loading,
  blockId: number,
  { parts }: CompositePlan,
): Promise<BuildingBlock['compositions']> {
  const rows = await tx
    .insertInto('block_composition')
    .values(parts.map(({ of, label, optional = false }) => ({ block_id: blockId, sub_block_id: idOf[of]!, label, optional })))
    .returning(['id', 'label', 'optional', 'sub_block_id'])
    .execute()
  return rows.map(({ sub_block_id, ...row }) => ({ ...row, subBlockId: sub_block_id }))
}

async function loadRequirements({ tx, qualifications }: Loading, blockId: number, plan: AtomicPlan | CompositePlan) {
  const requirements = [
    ...(plan.everyone ? [{ everyone: true, atLeast: 0, needs: plan.everyone }] : []),
    ...('atLeast' in plan && plan.atLeast ? [{ everyone: false, atLeast: plan.atLeast.count, needs: plan.atLeast.needs }] : []),
  ]
  const loaded: BuildingBlock['requirements'][number][] = []
  for (const { everyone, atLeast, needs } of requirements) {
    const { id } = await tx
      .insertInto('block_requirement')
      .values({ block_id: blockId, everyone, at_least: atLeast })
      .returning('id')
      .executeTakeFirstOrThrow()
    const qualificationIds = needs.map((key) => qualifications.idOf[key])
    await tx
      .insertInto('block_requirement_qualification')
      .values(qualificationIds.map((qualification_id) => ({ requirement_id: id, qualification_id })))
      .execute()
    loaded.push({ id, everyone, atLeast, qualificationIds })
  }
  return loaded
}
