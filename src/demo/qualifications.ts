import type { Inclusions } from '#features/staffing/staffing/rules/model.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import type { SampleText } from '#platform/sample-data/language.ts'
import type { Random } from '#platform/sample-data/random.ts'

const CATEGORIES = {
  medical: { title: { en: 'Medical', de: 'Sanitäts- und Rettungsdienst' }, shown: true },
  fire: { title: { en: 'Fire', de: 'Feuerwehr' }, shown: true },
  driving: { title: { en: 'Driving', de: 'Fahrerlaubnis' }, shown: true },
  other: { title: { en: 'Radio and command', de: 'Funk und Führung' }, shown: false },
} as const

/** Each names the qualification that it includes directly. */
const PLAN = {
  EH: {
    title: { en: 'First aider', de: 'Ersthelfer:in' },
    abbreviation: { en: 'FA', de: 'EH' },
    category: 'medical',
    includes: [],
  },
  SanH: {
    title: { en: 'Medical assistant', de: 'Sanitätshelfer:in' },
    abbreviation: { en: 'MA', de: 'SanH' },
    category: 'medical',
    includes: ['EH'],
  },
  RS: {
    title: { en: 'Emergency medical technician', de: 'Rettungssanitäter:in' },
    abbreviation: { en: 'EMT', de: 'RS' },
    category: 'medical',
    includes: ['SanH'],
  },
  NotSan: {
    title: { en: 'Paramedic', de: 'Notfallsanitäter:in' },
    abbreviation: { en: 'PM', de: 'NotSan' },
    category: 'medical',
    includes: ['RS'],
  },
  TM: {
    title: { en: 'Firefighter', de: 'Truppmitglied' },
    abbreviation: { en: 'FF', de: 'TM' },
    category: 'fire',
    includes: ['EH'],
  },
  TF: {
    title: { en: 'Lead firefighter', de: 'Truppführer:in' },
    abbreviation: { en: 'LFF', de: 'TF' },
    category: 'fire',
    includes: ['TM'],
  },
  GF: {
    title: { en: 'Crew manager', de: 'Gruppenführer:in' },
    abbreviation: { en: 'CM', de: 'GF' },
    category: 'fire',
    includes: ['TF'],
  },
  ZF: {
    title: { en: 'Watch manager', de: 'Zugführer:in' },
    abbreviation: { en: 'WM', de: 'ZF' },
    category: 'fire',
    includes: ['GF'],
  },
  AGT: {
    title: { en: 'Breathing apparatus wearer', de: 'Atemschutzgeräteträger:in' },
    abbreviation: { en: 'BA', de: 'AGT' },
    category: 'fire',
    includes: ['TM'],
  },
  B: {
    title: { en: 'Driving licence B', de: 'Führerschein Klasse B' },
    abbreviation: { en: 'B', de: 'B' },
    category: 'driving',
    includes: [],
  },
  C: {
    title: { en: 'Driving licence C', de: 'Führerschein Klasse C' },
    abbreviation: { en: 'C', de: 'C' },
    category: 'driving',
    includes: ['B'],
  },
  Funk: {
    title: { en: 'Radio operator', de: 'Sprechfunker:in' },
    abbreviation: { en: 'Radio', de: 'Funk' },
    category: 'other',
    includes: [],
  },
} as const satisfies Record<
  string,
  { title: SampleText; abbreviation: SampleText; category: keyof typeof CATEGORIES; includes: readonly string[] }
>

export type QualificationKey = keyof typeof PLAN
export type Qualifications = { idOf: Record<QualificationKey, number>; inclusions: Inclusions }

const KEYS = Object.keys(PLAN) as QualificationKey[]

function withIncluded(key: QualificationKey): QualificationKey[] {
  return [key, ...PLAN[key].includes.flatMap(withIncluded)]
}

export async function loadQualifications(tx: Tx, random: Random, language: SourceLanguage): Promise<Qualifications> {
  const categoryKeys = Object.keys(CATEGORIES) as (keyof typeof CATEGORIES)[]
  const categories = await tx
    .insertInto('qualification_category')
    .values(
      categoryKeys.map((key) => ({
        uuid: random.uuid(),
        title: CATEGORIES[key].title[language],
        show_with_user: CATEGORIES[key].shown,
      })),
    )
    .returning('id')
    .execute()
  const rows = await tx
    .insertInto('qualification')
    .values(
      KEYS.map((key) => ({
        uuid: random.uuid(),
        title: PLAN[key].title[language],
        abbreviation: PLAN[key].abbreviation[language],
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
