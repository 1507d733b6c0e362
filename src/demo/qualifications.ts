import type { Inclusions } from '#features/staffing/staffing/rules/model.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { Random } from '#platform/sample-data/random.ts'

const CATEGORIES = {
  medical: { title: 'Sanitäts- und Rettungsdienst', shown: true },
  fire: { title: 'Feuerwehr', shown: true },
  driving: { title: 'Fahrerlaubnis', shown: true },
  other: { title: 'Funk und Führung', shown: false },
} as const

/** Each names the qualification that it includes directly. */
const PLAN = {
  EH: { title: 'Ersthelfer:in', category: 'medical', includes: [] },
  SanH: { title: 'Sanitätshelfer:in', category: 'medical', includes: ['EH'] },
  RS: { title: 'Rettungssanitäter:in', category: 'medical', includes: ['SanH'] },
  NotSan: { title: 'Notfallsanitäter:in', category: 'medical', includes: ['RS'] },
  TM: { title: 'Truppmitglied', category: 'fire', includes: ['EH'] },
  TF: { title: 'Truppführer:in', category: 'fire', includes: ['TM'] },
  GF: { title: 'Gruppenführer:in', category: 'fire', includes: ['TF'] },
  ZF: { title: 'Zugführer:in', category: 'fire', includes: ['GF'] },
  AGT: { title: 'Atemschutzgeräteträger:in', category: 'fire', includes: ['TM'] },
  B: { title: 'Driving licence B', category: 'driving', includes: [] },
  C: { title: 'Driving licence C', category: 'driving', includes: ['B'] },
  Funk: { title: 'Sprechfunker:in', category: 'other', includes: [] },
} as const satisfies Record<string, { title: string; category: keyof typeof CATEGORIES; includes: readonly string[] }>

export type QualificationKey = keyof typeof PLAN
export type Qualifications = { idOf: Record<QualificationKey, number>; inclusions: Inclusions }

const KEYS = Object.keys(PLAN) as QualificationKey[]

function withIncluded(key: QualificationKey): QualificationKey[] {
  return [key, ...PLAN[key].includes.flatMap(withIncluded)]
}

export async function loadQualifications(tx: Tx, random: Random): Promise<Qualifications> {
  const categoryKeys = Object.keys(CATEGORIES) as (keyof typeof CATEGORIES)[]
  const categories = await tx
    .insertInto('qualification_category')
    .values(
      categoryKeys.map((key) => ({ uuid: random.uuid(), title: CATEGORIES[key].title, show_with_user: CATEGORIES[key].shown })),
    )
    .returning('id')
    .execute()
  const rows = await tx
    .insertInto('qualification')
    .values(
      KEYS.map((key) => ({
        uuid: random.uuid(),
        title: PLAN[key].title,
        abbreviation: key,
        category_id: categories[categoryKeys.indexOf(PLAN[key].category)]!.id,
      })),
    )
    .returning('id')
    .execute()
  const idOf = Object.fromEntries(KEYS.map((key, index) => [key, rows[index]!.id])) as Record<QualificationKey, number>
  await tx
    .insertInto('qualification_inclusion')
    .values(
      KEYS.flatMap((key) => PLAN[key].includes.map((included) => ({ qualification_id: idOf[key], included_id: idOf[included] }))),
    )
    .execute()
  const inclusions = new Map(KEYS.map((key) => [idOf[key], new Set(withIncluded(key).map((included) => idOf[included]))]))
  return { idOf, inclusions }
}
