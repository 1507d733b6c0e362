import type { ExchangedQualification } from './catalogue-import.ts'

/** Qualifications to begin with, by the kind of organisation. The same qualification has the same uuid in every catalogue and language. */
export const STARTERS = ['fire_brigade', 'medical_service', 'youth_group', 'festival'] as const
export type Starter = (typeof STARTERS)[number]

type Names = Record<'de' | 'en', readonly [title: string, abbreviation: string]>
/** `months`: for how long a certificate or a briefing usually counts. */
type More = { includes?: readonly string[]; months?: number }

const CATEGORIES = {
  service: { uuid: 'd2ea48db-b1e9-556c-ac74-f9a6db44c6ba', de: 'Feuerwehr', en: 'Fire service' },
  licences: { uuid: '444ac5da-cbaf-5f6f-bcde-17450419597b', de: 'Führerscheine', en: 'Driving licences' },
  medical: { uuid: '790ebb03-93d0-56f6-ae41-208a6e5302db', de: 'Medizin', en: 'Medical' },
  youth: { uuid: 'ae889edd-9cce-5b70-b523-1eceebb933b4', de: 'Jugendarbeit', en: 'Youth work' },
  site: { uuid: 'b176ebdc-a066-5bb0-8632-bb700bd3210e', de: 'Veranstaltung', en: 'Event site' },
} as const

const entry = (uuid: string, category: keyof typeof CATEGORIES, names: Names, more: More = {}) => ({
  uuid,
  category,
  names,
  ...more,
})

const ENTRIES = {
  first_aid: entry(
    '3ce26318-06e4-59c1-892b-895022d756e2',
    'medical',
    { de: ['Erste Hilfe', 'EH'], en: ['First aid', 'FA'] },
    { months: 24 },
  ),
  firefighter: entry('70e7d694-3e8a-5c38-b43d-aaa1be4afcb4', 'service', {
    de: ['Truppmitglied', 'TM'],
    en: ['Firefighter', 'FF'],
  }),
  crew_leader: entry(
    'fef1a9a9-bef3-5b0e-a1c9-e73092745743',
    'service',
    { de: ['Truppführer:in', 'TF'], en: ['Leading firefighter', 'LFF'] },
    { includes: ['firefighter'] },
  ),
  crew_commander: entry(
    '58ad0012-7a64-5adc-8fd4-8fe27446e058',
    'service',
    { de: ['Gruppenführer:in', 'GF'], en: ['Crew commander', 'CC'] },
    { includes: ['crew_leader'] },
  ),
  watch_commander: entry(
    '064d0b48-804f-5045-bc12-e6e2d0cfc834',
    'service',
    { de: ['Zugführer:in', 'ZF'], en: ['Watch commander', 'WC'] },
    { includes: ['crew_commander'] },
  ),
  breathing_apparatus: entry(
    'b4c5178b-fa23-5caa-aefe-f49aa80096cc',
    'service',
    { de: ['Atemschutzgeräteträger:in', 'AGT'], en: ['Breathing apparatus wearer', 'BA'] },
    { months: 12 },
  ),
  breathing_health: entry(
    '2ac86ed7-2fb5-53c8-be39-052428e5cc49',
    'service',
    { de: ['Eignungsuntersuchung Atemschutz', 'G 26.3'], en: ['Breathing apparatus medical', 'BAM'] },
    { months: 36 },
  ),
  pump_operator: entry('7af6f16f-3c25-563d-b422-2dd4dcaea393', 'service', {
    de: ['Maschinist:in', 'MA'],
    en: ['Pump operator', 'PO'],
  }),
  radio: entry('be015e4f-e828-51d7-9fb3-e60e8be025fc', 'service', {
    de: ['Sprechfunker:in', 'SF'],
    en: ['Radio operator', 'RO'],
  }),
  chainsaw: entry('d51e7712-4691-5838-adde-da6e3e13e695', 'service', {
    de: ['Motorsäge', 'MS'],
    en: ['Chainsaw operator', 'CS'],
  }),
  first_responder: entry(
    '26c2a10a-261b-51f8-b21d-467f330e320e',
    'medical',
    { de: ['Sanitätshelfer:in', 'SanH'], en: ['First responder', 'FR'] },
    { includes: ['first_aid'], months: 24 },
  ),
  rescue_helper: entry(
    'dd285543-a20d-5d8e-9fa4-be3721d734b9',
    'medical',
    { de: ['Rettungshelfer:in', 'RH'], en: ['Emergency medical responder', 'EMR'] },
    { includes: ['first_responder'] },
  ),
  emt: entry(
    '674fd398-93f8-59ee-828e-6eb5849716ed',
    'medical',
    { de: ['Rettungssanitäter:in', 'RS'], en: ['Emergency medical technician', 'EMT'] },
    { includes: ['rescue_helper'] },
  ),
  paramedic: entry(
    'ab06ae5c-a477-5e65-8a99-e155c8d3535e',
    'medical',
    { de: ['Notfallsanitäter:in', 'NotSan'], en: ['Paramedic', 'PM'] },
    { includes: ['emt'] },
  ),
  doctor: entry(
    '34bed5da-f660-5b3d-ab0e-81dba5ef4d59',
    'medical',
    { de: ['Arzt oder Ärztin', 'Arzt'], en: ['Doctor', 'DR'] },
    { includes: ['first_responder'] },
  ),
  emergency_doctor: entry(
    '48a0eddc-2e8b-5ace-a59a-78f628cbee33',
    'medical',
    { de: ['Notarzt oder Notärztin', 'NA'], en: ['Emergency doctor', 'ED'] },
    { includes: ['doctor'] },
  ),
  medical_lead: entry('eb50435b-99a4-51a9-9733-362d1cce7e1d', 'medical', {
    de: ['Einsatzleitung Sanitätsdienst', 'EL'],
    en: ['Medical lead', 'ML'],
  }),
  devices: entry(
    'a21d64d7-26ef-52bc-976e-b2221401efdf',
    'medical',
    { de: ['Einweisung Medizinprodukte', 'MPG'], en: ['Medical devices briefing', 'MD'] },
    { months: 24 },
  ),
  licence_b: entry('f3cc5a91-b3ad-54de-abe0-93274cc11c42', 'licences', {
    de: ['Führerschein B', 'B'],
    en: ['Driving licence B', 'B'],
  }),
  licence_be: entry(
    '5d9fedd8-d02e-596f-8554-91b103dd4559',
    'licences',
    { de: ['Führerschein BE', 'BE'], en: ['Driving licence BE', 'BE'] },
    { includes: ['licence_b'] },
  ),
  licence_c1: entry(
    'a51f26bc-83b1-5424-9564-c17d73b02710',
    'licences',
    { de: ['Führerschein C1', 'C1'], en: ['Driving licence C1', 'C1'] },
    { includes: ['licence_b'], months: 60 },
  ),
  licence_c: entry(
    '4fb362cd-d643-50ca-a2bc-b9af5ee6d44a',
    'licences',
    { de: ['Führerschein C', 'C'], en: ['Driving licence C', 'C'] },
    { includes: ['licence_c1'], months: 60 },
  ),
  licence_ce: entry(
    '74416ae1-1ab7-5512-b7ff-72f76633b67b',
    'licences',
    { de: ['Führerschein CE', 'CE'], en: ['Driving licence CE', 'CE'] },
    { includes: ['licence_c', 'licence_be'], months: 60 },
  ),
  youth_leader: entry(
    '656d73de-a124-5793-a467-cc69bcce4ceb',
    'youth',
    { de: ['Jugendleiter:in', 'Juleica'], en: ['Youth leader', 'YL'] },
    { months: 36 },
  ),
  child_protection: entry(
    '50a2c4ed-dc21-52ca-876a-c8ce10fa5178',
    'youth',
    { de: ['Schulung Kinderschutz', 'KiSch'], en: ['Child protection training', 'CP'] },
    { months: 36 },
  ),
  record_check: entry(
    '8e3ce558-4791-507d-829b-3021b2d5edcf',
    'youth',
    { de: ['Erweitertes Führungszeugnis eingesehen', 'FZ'], en: ['Criminal record check seen', 'DBS'] },
    { months: 60 },
  ),
  lifesaver_bronze: entry(
    '670dfea7-0187-5322-a7ee-4c1baf1ad11f',
    'youth',
    { de: ['Rettungsschwimmen Bronze', 'RSB'], en: ['Lifesaver bronze', 'LB'] },
    { months: 24 },
  ),
  lifesaver_silver: entry(
    'beb9f420-c7e6-59b7-ab89-b0a3eeb52613',
    'youth',
    { de: ['Rettungsschwimmen Silber', 'RSS'], en: ['Lifesaver silver', 'LS'] },
    { includes: ['lifesaver_bronze'], months: 24 },
  ),
  food: entry(
    'bfc058f2-3991-5746-996a-429cd7edc7ce',
    'site',
    { de: ['Belehrung Lebensmittel', 'IfSG'], en: ['Food hygiene briefing', 'FH'] },
    { months: 24 },
  ),
  fire_safety: entry(
    '9238037a-9d31-5aa6-8b97-faab081feaab',
    'site',
    { de: ['Brandschutzhelfer:in', 'BSH'], en: ['Fire safety helper', 'FS'] },
    { months: 36 },
  ),
  forklift: entry(
    '4ca0392c-1d81-5119-a903-12dfcd312bac',
    'site',
    { de: ['Staplerschein mit Jahresunterweisung', 'Stapler'], en: ['Forklift licence with yearly briefing', 'FL'] },
    { months: 12 },
  ),
  security: entry('45b0470e-db2c-5d7f-8191-6703e580e5b5', 'site', {
    de: ['Sachkunde Sicherheit', '§ 34a'],
    en: ['Security licence', 'SIA'],
  }),
  awareness: entry(
    '44986621-76b1-5678-a276-0ddf444afc3c',
    'site',
    { de: ['Awareness-Schulung', 'AW'], en: ['Awareness training', 'AW'] },
    { months: 12 },
  ),
  cash: entry(
    'c60ba9e0-ed0f-54de-83a3-2fdc2c0f62a3',
    'site',
    { de: ['Einweisung Kasse', 'Kasse'], en: ['Cash desk briefing', 'Cash'] },
    { months: 12 },
  ),
  stage: entry('0a43717d-52c2-5a7e-9b70-aacb36417078', 'site', {
    de: ['Bühnentechnik', 'Bühne'],
    en: ['Stage technician', 'Stage'],
  }),
}
type EntryName = keyof typeof ENTRIES
export type StarterQualification = EntryName

/** Finds a qualification of the catalogues again after it was imported, whatever it is called then. */
export const starterUuid = (name: StarterQualification): string => ENTRIES[name].uuid

const CATALOGUES: Record<Starter, readonly EntryName[]> = {
  fire_brigade: [
    'firefighter',
    'crew_leader',
    'crew_commander',
    'watch_commander',
    'breathing_apparatus',
    'breathing_health',
    'pump_operator',
    'radio',
    'chainsaw',
    'first_aid',
    'licence_b',
    'licence_be',
    'licence_c1',
    'licence_c',
    'licence_ce',
  ],
  medical_service: [
    'first_aid',
    'first_responder',
    'rescue_helper',
    'emt',
    'paramedic',
    'doctor',
    'emergency_doctor',
    'medical_lead',
    'devices',
    'licence_b',
    'licence_be',
    'licence_c1',
  ],
  youth_group: [
    'youth_leader',
    'child_protection',
    'record_check',
    'first_aid',
    'lifesaver_bronze',
    'lifesaver_silver',
    'food',
    'licence_b',
    'licence_be',
  ],
  festival: ['first_aid', 'fire_safety', 'awareness', 'food', 'cash', 'stage', 'forklift', 'security', 'licence_b'],
}

/** The catalogue in the form in which catalogues are exported and imported. */
export function starterCatalogue(starter: Starter, language: 'de' | 'en'): ExchangedQualification[] {
  return CATALOGUES[starter].map((name) => {
    const { uuid, category, names, includes = [], months } = ENTRIES[name]
    const [title, abbreviation] = names[language]
    return {
      uuid,
      title,
      abbreviation,
      category: { uuid: CATEGORIES[category].uuid, title: CATEGORIES[category][language] },
      includes: includes.map((included) => ENTRIES[included as EntryName].uuid),
      included_by: [],
      valid_months: months ?? null,
    }
  })
}
