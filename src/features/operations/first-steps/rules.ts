/** What an administrator does first, in the order of the list. */
export const STEPS = [
  'name',
  'region',
  'modules',
  'mail',
  'groups',
  'qualifications',
  'event_types',
  'people',
  'event',
  'backup',
] as const
export type Step = (typeof STEPS)[number]

/** The state of the instance that the list is read from. */
export type InstanceState = {
  hasName: boolean
  hasTimeZone: boolean
  hasLanguage: boolean
  /** An administrator has chosen, or the instance was there before there was a choice. */
  hasModules: boolean
  hasMail: boolean
  /** The last mail was sent. */
  hasSentMail: boolean
  /** Besides those of administrators, the first of which exists from the beginning. */
  hasGroups: boolean
  hasQualifications: boolean
  hasEventTypes: boolean
  /** Besides the first administrator. */
  hasPeople: boolean
  hasEvents: boolean
  hasBackupFolder: boolean
  hasBackup: boolean
}

export const stepsOf = (state: InstanceState): Record<Step, boolean> => ({
  name: state.hasName,
  region: state.hasTimeZone && state.hasLanguage,
  modules: state.hasModules,
  mail: state.hasMail && state.hasSentMail,
  groups: state.hasGroups,
  qualifications: state.hasQualifications,
  event_types: state.hasEventTypes,
  people: state.hasPeople,
  event: state.hasEvents,
  backup: state.hasBackup,
})

/** Steps of which the first half is done by a setting of the server. */
export const halfDone = ({ hasMail, hasBackupFolder }: InstanceState): Partial<Record<Step, boolean>> => ({
  mail: hasMail,
  backup: hasBackupFolder,
})
