import { Temporal } from 'temporal-polyfill'
import { type StarterQualification, starterUuid } from '#features/accounts/qualifications/rules/starters.ts'
import { eventFields } from '#features/events/events/rules/event-fields.ts'
import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { dayOf } from '#features/planning/series/rules/moving-dates.ts'
import type { Configuration } from '#features/planning/shift-forms/rules/flow-form.ts'
import { printInstant } from '#features/staffing/staffing/rules/opening.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import type { TemplateContent } from './content.ts'
import { STARTER_TEMPLATES, type Starter, type StarterShift, type StarterTemplate } from './starters.ts'

/** What a template to begin with becomes in this organisation. `qualifications`: ids by uuid. */
type Here = {
  language: SourceLanguage
  now: Date
  timeZone: string
  qualifications: ReadonlyMap<string, number>
  /** Whether people can bring others. */
  hasCompanions: boolean
}

const DAYS_OF_WEEK = 7

/** The first such day that is at least a week away, so that people have time to answer. */
export function firstDayOn(weekday: number, now: Date, timeZone: string): string {
  const soonest = Temporal.PlainDate.from(dayOf(now, timeZone)).add({ days: DAYS_OF_WEEK })
  return soonest.add({ days: (weekday - soonest.dayOfWeek + DAYS_OF_WEEK) % DAYS_OF_WEEK }).toString()
}

export const getStarter = (starter: Starter): StarterTemplate => STARTER_TEMPLATES[starter]

/** The qualifications that its places are for, each once. */
export const qualificationsOf = ({ shifts }: StarterTemplate): StarterQualification[] => [
  ...new Set(shifts.flatMap(({ places }) => places.flatMap(({ of }) => of ?? []))),
]

/** People that its shifts need at least. */
export const countNeeded = ({ shifts }: StarterTemplate): number =>
  shifts.reduce((sum, { places }) => sum + places.reduce((of, { min }) => of + min, 0), 0)

export function contentOfStarter(starter: Starter, here: Here): TemplateContent {
  const template = getStarter(starter)
  const date = firstDayOn(template.weekday, here.now, here.timeZone)
  return {
    ...eventFields.copy(eventFields.defaults),
    title: template.name[here.language],
    groups: null,
    responsibleGroups: [],
    date,
    shifts: template.shifts.map((shift, index) => storedShift(shift, index + 1, date, here)),
    resources: [],
    files: [],
  }
}

function storedShift(shift: StarterShift, key: number, date: string, here: Here): TemplateContent['shifts'][number] {
  const day = Temporal.PlainDate.from(date).add({ days: shift.day ?? 0 })
  const at = (time: string, after = 0) =>
    new Date(day.add({ days: after }).toZonedDateTime({ plainTime: time, timeZone: here.timeZone }).epochMilliseconds)
  const start = at(shift.start)
  return {
    ...shiftFields.defaults,
    label: shift.label[here.language],
    key,
    meeting: at(shift.meeting ?? shift.start).toISOString(),
    start: start.toISOString(),
    end: at(shift.end, shift.end <= shift.start ? 1 : 0).toISOString(),
    flowSlug: shift.asks ? 'request_confirm' : 'instant_confirmation',
    flowConfiguration: {
      signup_until: printInstant(start, here.timeZone),
      user_can_decline_confirmed: !shift.asks,
      user_can_customize_signup_times: false,
      ...(shift.bring && here.hasCompanions ? { user_can_bring: shift.bring } : {}),
    },
    ...structureOf(shift, here),
    questions: [],
  }
}

/** Places for qualifications that do not exist here are for everybody. */
function structureOf(
  { places }: StarterShift,
  { qualifications }: Here,
): { structureSlug: string; structureConfiguration: Configuration } {
  const needs = places.map(({ of, min, max }) => ({ id: of && qualifications.get(starterUuid(of)), min, max }))
  if (needs.some(({ id }) => id !== undefined))
    return {
      structureSlug: 'qualification_mix',
      structureConfiguration: {
        minimum_age: null,
        qualification_requirements: needs.map(({ id, min, max }) => ({
          qualification: id ?? null,
          min_count: min,
          max_count: max,
        })),
      },
    }
  const sum = (of: 'min' | 'max') => needs.reduce((count, need) => count + need[of], 0)
  return {
    structureSlug: 'uniform',
    structureConfiguration: {
      minimum_age: null,
      minimum_number_of_participants: sum('min') || null,
      maximum_number_of_participants: sum('max'),
      required_qualification_ids: [],
    },
  }
}

const fold = (title: string): string => title.trim().toLocaleLowerCase()

type KnownType = { id: number; title: string }

/** The type whose title fits, or the only one. Undefined: a planner chooses when an event is made. */
export function chooseType({ types }: StarterTemplate, known: readonly KnownType[]): KnownType | undefined {
  const titles = [...types.de, ...types.en].map(fold)
  const fitting = titles.flatMap((title) => known.filter((type) => fold(type.title) === title))
  return fitting[0] ?? (known.length === 1 ? known[0] : undefined)
}
