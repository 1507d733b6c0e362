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

/** The page of each step, with the pages below it. */
export const PLACES: Record<Step, string> = {
  name: '/manage/instance/',
  region: '/manage/instance/region/',
  modules: '/manage/modules/start/',
  mail: '/manage/mail/',
  groups: '/manage/groups/patterns/',
  qualifications: '/manage/qualifications/',
  event_types: '/manage/event-types/new/',
  people: '/manage/people/import/',
  event: '/events/new/',
  backup: '/manage/status/',
}

/** Where a step ends, if that is not below its page. */
const AROUND: Partial<Record<Step, string>> = {
  modules: '/manage/modules/',
  groups: '/manage/groups/',
  event_types: '/manage/event-types/',
  people: '/manage/people/',
}

/** The step that a page belongs to: the one with the longest path. */
export function stepAt(path: string): Step | undefined {
  const places = STEPS.map((step) => ({ step, place: AROUND[step] ?? PLACES[step] })).filter(({ place }) =>
    path.startsWith(place),
  )
  return places.sort((a, b) => b.place.length - a.place.length)[0]?.step
}

/** The next step that is open, in the order of the list; those that were passed over are on the list. */
export const stepAfter = (step: Step, steps: Readonly<Record<Step, boolean>>): Step | undefined =>
  STEPS.slice(STEPS.indexOf(step) + 1).find((each) => !steps[each])
