import { BUNDLES, type Permission } from '#platform/auth/permissions.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import type { SampleText } from '#platform/sample-data/language.ts'

type GroupPlan = {
  name: SampleText
  permissions: readonly Permission[]
  publishesFor: readonly string[]
  decidesHoursOf: readonly string[]
}

const PLAN = {
  management: {
    name: { en: 'Management', de: 'Leitung' },
    permissions: [...BUNDLES.management, ...BUNDLES.blocks, ...BUNDLES.questions] as Permission[],
    publishesFor: [],
    decidesHoursOf: ['members'],
  },
  planning: {
    name: { en: 'Planning', de: 'Einsatzplanung' },
    permissions: BUNDLES.planning as Permission[],
    publishesFor: ['fire', 'medics', 'youth', 'trainers', 'members'],
    decidesHoursOf: [],
  },
  hr: {
    name: { en: 'Personnel office', de: 'Personalbüro' },
    permissions: BUNDLES.hr,
    publishesFor: [],
    decidesHoursOf: ['fire', 'medics', 'members'],
  },
  trainers: {
    name: { en: 'Training team', de: 'Ausbildungsteam' },
    permissions: [...BUNDLES.planning, ...BUNDLES.blocks] as Permission[],
    publishesFor: ['fire', 'medics', 'youth'],
    decidesHoursOf: [],
  },
  fire: { name: { en: 'Fire crew', de: 'Einsatzabteilung' }, permissions: [], publishesFor: [], decidesHoursOf: [] },
  medics: { name: { en: 'First aid', de: 'Sanitätsdienst' }, permissions: [], publishesFor: [], decidesHoursOf: [] },
  youth: { name: { en: 'Youth brigade', de: 'Jugendfeuerwehr' }, permissions: [], publishesFor: [], decidesHoursOf: [] },
  members: { name: { en: 'Members', de: 'Mitglieder' }, permissions: [], publishesFor: [], decidesHoursOf: [] },
} as const satisfies Record<string, GroupPlan>

export type GroupKey = keyof typeof PLAN
export type Groups = Record<GroupKey, number>

export async function loadGroups(tx: Tx, language: SourceLanguage): Promise<Groups> {
  const keys = Object.keys(PLAN) as GroupKey[]
  const rows = await tx
    .insertInto('user_group')
    .values(keys.map((key) => ({ name: PLAN[key].name[language] })))
    .returning('id')
    .execute()
  const groups = Object.fromEntries(keys.map((key, index) => [key, rows[index]!.id])) as Groups
  await tx
    .insertInto('group_permission')
    .values(keys.flatMap((key) => PLAN[key].permissions.map((permission) => ({ group_id: groups[key], permission }))))
    .execute()
  await tx
    .insertInto('group_grant')
    .values(
      keys.flatMap((key) => [
        ...PLAN[key].publishesFor.map((to) => ({
          group_id: groups[key],
          target_group_id: groups[to],
          permission: 'publish_event_for_group',
        })),
        ...PLAN[key].decidesHoursOf.map((to) => ({
          group_id: groups[key],
          target_group_id: groups[to],
          permission: 'decide_working_hours_for_group',
        })),
      ]),
    )
    .execute()
  return groups
}
