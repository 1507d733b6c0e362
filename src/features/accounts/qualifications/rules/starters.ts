import type { ExchangedQualification } from './catalogue-import.ts'

/** Qualifications to begin with, by the kind of organisation. The same qualification has the same uuid in every catalogue and language. */
export const STARTERS = ['fire_brigade', 'medical_service', 'youth_group', 'festival'] as const
export type Starter = (typeof STARTERS)[number]

type Titled<Language extends string> = Record<Language, string>
type Entry = {
  uuid: string
  category: keyof typeof CATEGORIES
  title: Titled<'de' | 'en'>
  abbreviation: Titled<'de' | 'en'>
  includes?: readonly string[]
  /** For how many months a certificate or a briefing usually counts. */
  months?: number
}

const CATEGORIES = {
  service: { uuid: 'd2ea48db-b1e9-556c-ac74-f9a6db44c6ba', de: 'Feuerwehr', en: 'Fire service' },
  licences: { uuid: '444ac5da-cbaf-5f6f-bcde-17450419597b', de: 'Führerscheine', en: 'Driving licences' },
  medical: { uuid: '790ebb03-93d0-56f6-ae41-208a6e5302db', de: 'Medizin', en: 'Medical' },
  youth: { uuid: 'ae889edd-9cce-5b70-b523-1eceebb933b4', de: 'Jugendarbeit', en: 'Youth work' },
  site: { uuid: 'b176ebdc-a066-5bb0-8632-bb700bd3210e', de: 'Veranstaltung', en: 'Event site' },
} as const

const ENTRIES = {
  first_aid: {
    uuid: '3ce26318-06e4-59c1-892b-895022d756e2',
    category: 'medical',
    title: { de: 'Erste Hilfe', en: 'First aid' },
    abbreviation: { de: 'EH', en: 'FA' },
    months: 24,
  },
  firefighter: {
    uuid: '70e7d694-3e8a-5c38-b43d-aaa1be4afcb4',
    category: 'service',
    title: { de: 'Truppmitglied', en: 'Firefighter' },
    abbreviation: { de: 'TM', en: 'FF' },
  },
  crew_leader: {
    uuid: 'fef1a9a9-bef3-5b0e-a1c9-e73092745743',
    category: 'service',
    title: { de: 'Truppführer:in', en: 'Leading firefighter' },
    abbreviation: { de: 'TF', en: 'LFF' },
    includes: ['firefighter'],
  },
  crew_commander: {
    uuid: '58ad0012-7a64-5adc-8fd4-8fe27446e058',
    category: 'service',
    title: { de: 'Gruppenführer:in', en: 'Crew commander' },
    abbreviation: { de: 'GF', en: 'CC' },
    includes: ['crew_leader'],
  },
  watch_commander: {
    uuid: '064d0b48-804f-5045-bc12-e6e2d0cfc834',
    category: 'service',
    title: { de: 'Zugführer:in', en: 'Watch commander' },
    abbreviation: { de: 'ZF', en: 'WC' },
    includes: ['crew_commander'],
  },
  breathing_apparatus: {
    uuid: 'b4c5178b-fa23-5caa-aefe-f49aa80096cc',
    category: 'service',
    title: { de: 'Atemschutzgeräteträger:in', en: 'Breathing apparatus wearer' },
    abbreviation: { de: 'AGT', en: 'BA' },
    months: 12,
  },
  breathing_health: {
    uuid: '2ac86ed7-2fb5-53c8-be39-052428e5cc49',
    category: 'service',
    title: { de: 'Eignungsuntersuchung Atemschutz', en: 'Breathing apparatus medical' },
    abbreviation: { de: 'G 26.3', en: 'BAM' },
    months: 36,
  },
  pump_operator: {
    uuid: '7af6f16f-3c25-563d-b422-2dd4dcaea393',
    category: 'service',
    title: { de: 'Maschinist:in', en: 'Pump operator' },
    abbreviation: { de: 'MA', en: 'PO' },
  },
  radio: {
    uuid: 'be015e4f-e828-51d7-9fb3-e60e8be025fc',
    category: 'service',
    title: { de: 'Sprechfunker:in', en: 'Radio operator' },
    abbreviation: { de: 'SF', en: 'RO' },
  },
  chainsaw: {
    uuid: 'd51e7712-4691-5838-adde-da6e3e13e695',
    category: 'service',
    title: { de: 'Motorsäge', en: 'Chainsaw operator' },
    abbreviation: { de: 'MS', en: 'CS' },
  },
  first_responder: {
    uuid: '26c2a10a-261b-51f8-b21d-467f330e320e',
    category: 'medical',
    title: { de: 'Sanitätshelfer:in', en: 'First responder' },
    abbreviation: { de: 'SanH', en: 'FR' },
    includes: ['first_aid'],
    months: 24,
  },
  rescue_helper: {
    uuid: 'dd285543-a20d-5d8e-9fa4-be3721d734b9',
    category: 'medical',
    title: { de: 'Rettungshelfer:in', en: 'Emergency medical responder' },
    abbreviation: { de: 'RH', en: 'EMR' },
    includes: ['first_responder'],
  },
  emt: {
    uuid: '674fd398-93f8-59ee-828e-6eb5849716ed',
    category: 'medical',
    title: { de: 'Rettungssanitäter:in', en: 'Emergency medical technician' },
    abbreviation: { de: 'RS', en: 'EMT' },
    includes: ['rescue_helper'],
  },
  paramedic: {
    uuid: 'ab06ae5c-a477-5e65-8a99-e155c8d3535e',
    category: 'medical',
    title: { de: 'Notfallsanitäter:in', en: 'Paramedic' },
    abbreviation: { de: 'NotSan', en: 'PM' },
    includes: ['emt'],
  },
  doctor: {
    uuid: '34bed5da-f660-5b3d-ab0e-81dba5ef4d59',
    category: 'medical',
    title: { de: 'Arzt oder Ärztin', en: 'Doctor' },
    abbreviation: { de: 'Arzt', en: 'DR' },
    includes: ['first_responder'],
  },
  emergency_doctor: {
    uuid: '48a0eddc-2e8b-5ace-a59a-78f628cbee33',
    category: 'medical',
    title: { de: 'Notarzt oder Notärztin', en: 'Emergency doctor' },
    abbreviation: { de: 'NA', en: 'ED' },
    includes: ['doctor'],
  },
  medical_lead: {
    uuid: 'eb50435b-99a4-51a9-9733-362d1cce7e1d',
    category: 'medical',
    title: { de: 'Einsatzleitung Sanitätsdienst', en: 'Medical lead' },
    abbreviation: { de: 'EL', en: 'ML' },
  },
  devices: {
    uuid: 'a21d64d7-26ef-52bc-976e-b2221401efdf',
    category: 'medical',
    title: { de: 'Einweisung Medizinprodukte', en: 'Medical devices briefing' },
    abbreviation: { de: 'MPG', en: 'MD' },
    months: 24,
  },
  licence_b: {
    uuid: 'f3cc5a91-b3ad-54de-abe0-93274cc11c42',
    category: 'licences',
    title: { de: 'Führerschein B', en: 'Driving licence B' },
    abbreviation: { de: 'B', en: 'B' },
  },
  licence_be: {
    uuid: '5d9fedd8-d02e-596f-8554-91b103dd4559',
    category: 'licences',
    title: { de: 'Führerschein BE', en: 'Driving licence BE' },
    abbreviation: { de: 'BE', en: 'BE' },
    includes: ['licence_b'],
  },
  licence_c1: {
    uuid: 'a51f26bc-83b1-5424-9564-c17d73b02710',
    category: 'licences',
    title: { de: 'Führerschein C1', en: 'Driving licence C1' },
    abbreviation: { de: 'C1', en: 'C1' },
    includes: ['licence_b'],
    months: 60,
  },
  licence_c: {
    uuid: '4fb362cd-d643-50ca-a2bc-b9af5ee6d44a',
    category: 'licences',
    title: { de: 'Führerschein C', en: 'Driving licence C' },
    abbreviation: { de: 'C', en: 'C' },
    includes: ['licence_c1'],
    months: 60,
  },
  licence_ce: {
    uuid: '74416ae1-1ab7-5512-b7ff-72f76633b67b',
    category: 'licences',
    title: { de: 'Führerschein CE', en: 'Driving licence CE' },
    abbreviation: { de: 'CE', en: 'CE' },
    includes: ['licence_c', 'licence_be'],
    months: 60,
  },
  youth_leader: {
    uuid: '656d73de-a124-5793-a467-cc69bcce4ceb',
    category: 'youth',
    title: { de: 'Jugendleiter:in', en: 'Youth leader' },
    abbreviation: { de: 'Juleica', en: 'YL' },
    months: 36,
  },
  child_protection: {
    uuid: '50a2c4ed-dc21-52ca-876a-c8ce10fa5178',
    category: 'youth',
    title: { de: 'Schulung Kinderschutz', en: 'Child protection training' },
    abbreviation: { de: 'KiSch', en: 'CP' },
    months: 36,
  },
  record_check: {
    uuid: '8e3ce558-4791-507d-829b-3021b2d5edcf',
    category: 'youth',
    title: { de: 'Erweitertes Führungszeugnis eingesehen', en: 'Criminal record check seen' },
    abbreviation: { de: 'FZ', en: 'DBS' },
    months: 60,
  },
  lifesaver_bronze: {
    uuid: '670dfea7-0187-5322-a7ee-4c1baf1ad11f',
    category: 'youth',
    title: { de: 'Rettungsschwimmen Bronze', en: 'Lifesaver bronze' },
    abbreviation: { de: 'RSB', en: 'LB' },
    months: 24,
  },
  lifesaver_silver: {
    uuid: 'beb9f420-c7e6-59b7-ab89-b0a3eeb52613',
    category: 'youth',
    title: { de: 'Rettungsschwimmen Silber', en: 'Lifesaver silver' },
    abbreviation: { de: 'RSS', en: 'LS' },
    includes: ['lifesaver_bronze'],
    months: 24,
  },
  food: {
    uuid: 'bfc058f2-3991-5746-996a-429cd7edc7ce',
    category: 'site',
    title: { de: 'Belehrung Lebensmittel', en: 'Food hygiene briefing' },
    abbreviation: { de: 'IfSG', en: 'FH' },
    months: 24,
  },
  fire_safety: {
    uuid: '9238037a-9d31-5aa6-8b97-faab081feaab',
    category: 'site',
    title: { de: 'Brandschutzhelfer:in', en: 'Fire safety helper' },
    abbreviation: { de: 'BSH', en: 'FS' },
    months: 36,
  },
  forklift: {
    uuid: '4ca0392c-1d81-5119-a903-12dfcd312bac',
    category: 'site',
    title: { de: 'Staplerschein mit Jahresunterweisung', en: 'Forklift licence with yearly briefing' },
    abbreviation: { de: 'Stapler', en: 'FL' },
    months: 12,
  },
  security: {
    uuid: '45b0470e-db2c-5d7f-8191-6703e580e5b5',
    category: 'site',
    title: { de: 'Sachkunde Sicherheit', en: 'Security licence' },
    abbreviation: { de: '§ 34a', en: 'SIA' },
  },
  awareness: {
    uuid: '44986621-76b1-5678-a276-0ddf444afc3c',
    category: 'site',
    title: { de: 'Awareness-Schulung', en: 'Awareness training' },
    abbreviation: { de: 'AW', en: 'AW' },
    months: 12,
  },
  cash: {
    uuid: 'c60ba9e0-ed0f-54de-83a3-2fdc2c0f62a3',
    category: 'site',
    title: { de: 'Einweisung Kasse', en: 'Cash desk briefing' },
    abbreviation: { de: 'Kasse', en: 'Cash' },
    months: 12,
  },
  stage: {
    uuid: '0a43717d-52c2-5a7e-9b70-aacb36417078',
    category: 'site',
    title: { de: 'Bühnentechnik', en: 'Stage technician' },
    abbreviation: { de: 'Bühne', en: 'Stage' },
  },
} as const satisfies Record<string, Entry>
type EntryName = keyof typeof ENTRIES

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
    const { uuid, category, title, abbreviation, includes = [], months }: Entry = ENTRIES[name]
    return {
      uuid,
      title: title[language],
      abbreviation: abbreviation[language],
      category: { uuid: CATEGORIES[category].uuid, title: CATEGORIES[category][language] },
      includes: includes.map((included) => ENTRIES[included as EntryName].uuid),
      included_by: [],
      valid_months: months ?? null,
    }
  })
}
