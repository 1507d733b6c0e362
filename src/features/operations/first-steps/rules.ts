/** What an administrator does first, in the order of the list. */
export const STEPS = ['name', 'modules', 'mail', 'groups', 'qualifications', 'people', 'event', 'backup'] as const
export type Step = (typeof STEPS)[number]

/** The state of the instance that the list is read from. */
export type InstanceState = {
  hasName: boolean
  hasTimeZone: boolean
  /** An administrator has chosen, or the instance was there before there was a choice. */
  hasModules: boolean
  hasMail: boolean
  hasGroups: boolean
  hasQualifications: boolean
  /** Besides the first administrator. */
  hasPeople: boolean
  hasEvents: boolean
  hasBackup: boolean
}

export const stepsOf = (state: InstanceState): Record<Step, boolean> => ({
  name: state.hasName && state.hasTimeZone,
  modules: state.hasModules,
  mail: state.hasMail,
  groups: state.hasGroups,
  qualifications: state.hasQualifications,
  people: state.hasPeople,
  event: state.hasEvents,
  backup: state.hasBackup,
})
