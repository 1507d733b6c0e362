import type { Companion } from '#features/staffing/participations/rules/companion.ts'
import { MAX_PLACEHOLDER_NAME_LENGTH, numberedNames } from '#features/staffing/participations/rules/placeholder-names.ts'
import { isIn, type SignupRules, STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import type { WishField } from '#features/staffing/staffing/structures/structure.ts'

/** Changes of the list that a person sees. An empty name: without a name. */
export type CompanionsChange = {
  names: ReadonlyMap<number, string>
  leaving: ReadonlySet<number>
  added: readonly string[]
}

/** `id` undefined: about a new name. */
export type CompanionFault = { code: 'name_taken' | 'name_long'; name: string; id?: number } | { code: 'too_many'; left: number }

export type CompanionsPlan = {
  leaving: readonly Companion[]
  renamed: readonly { companion: Companion; name: string }[]
  /** `returning`: a companion who was removed before comes back under the same name. */
  added: readonly { name: string; returning: Companion | undefined }[]
}

/** Identifies the list as a page showed it. */
export const listVersion = (companions: readonly Companion[]): string =>
  companions.map(({ id, version }) => `${id}.${version}`).join(' ')

/** Those whom the page shows: removed ones are hidden, rejected ones are not. */
export const shownCompanions = <Each extends Companion>(companions: readonly Each[]): Each[] =>
  companions.filter(({ state }) => state !== STATE.declinedByUser)

/** How many more a person may bring. Rejected companions count, because the decision would be evaded otherwise. */
export const leftToBring = (companions: readonly Companion[], max: number): number =>
  Math.max(0, max - shownCompanions(companions).length)

/** Whether a name was made by `numberedNames` from one of these, so the person has typed none. */
export const isNeutral = (name: string, bases: readonly string[]): boolean =>
  bases.some((base) => name.startsWith(`${base} (`) && /^ \(\d+\)$/.test(name.slice(base.length)))

const tidy = (name: string): string => name.replaceAll(/\s+/g, ' ').trim()

type PlanInput = {
  companions: readonly Companion[]
  max: number
  /** Names of all other placeholders of the event. */
  taken: ReadonlySet<string>
  /** For people without a name: in the language of the instance, then in other languages, which it may have had before. */
  bases: readonly string[]
}

/** Decides names. A name is unique in an event, so that coupled shifts can follow. */
export function planCompanions(
  { companions, max, taken, bases }: PlanInput,
  change: CompanionsChange,
): { ok: true; plan: CompanionsPlan } | { ok: false; faults: CompanionFault[] } {
  const leaving = companions.filter(({ id, state }) => change.leaving.has(id) && isIn(state))
  const staying = companions.filter((companion) => isIn(companion.state) && !leaving.includes(companion))
  const former = companions.filter(({ state }) => state === STATE.declinedByUser)
  const wanted = change.added.map(tidy)
  const faults: CompanionFault[] = []
  const left = leftToBring(companions, max) + leaving.length
  if (wanted.length > left) faults.push({ code: 'too_many', left })

  const used = new Set([...taken, ...companions.map(({ name }) => name)])
  const claim = (name: string, id?: number): void => {
    const of = id === undefined ? {} : { id }
    if ([...name].length > MAX_PLACEHOLDER_NAME_LENGTH) faults.push({ code: 'name_long', name, ...of })
    else if (used.has(name)) faults.push({ code: 'name_taken', name, ...of })
    used.add(name)
  }
  const nextNeutral = (): string => {
    const [name] = numberedNames(bases[0]!, 1, used)
    used.add(name!)
    return name!
  }
  const returning = new Map(former.map((companion) => [companion.name, companion]))
  const bringBack = (companion: Companion | undefined) => {
    if (companion) returning.delete(companion.name)
    return companion
  }
  const renamed = staying.flatMap((companion) => {
    const typed = change.names.get(companion.id)
    const name = typed === undefined ? companion.name : tidy(typed)
    if (name === companion.name || (name === '' && isNeutral(companion.name, bases))) return []
    if (name !== '') claim(name, companion.id)
    return [{ companion, name: name || nextNeutral() }]
  })
  const added = wanted.map((typed) => {
    if (typed === '') {
      const back = bringBack([...returning.values()].find(({ name }) => isNeutral(name, bases)))
      return { name: back?.name ?? nextNeutral(), returning: back }
    }
    const back = bringBack(returning.get(typed))
    if (!back) claim(typed)
    return { name: typed, returning: back }
  })
  return faults.length ? { ok: false, faults } : { ok: true, plan: { leaving, renamed, added } }
}

/** A companion is never confirmed before the person who brings them. */
export const companionState = (bringer: State, { hasRequestStage }: Pick<SignupRules, 'hasRequestStage'>): State =>
  bringer === STATE.confirmed && !hasRequestStage ? STATE.confirmed : STATE.requested

/** The team or unit of a companion: that of the person who brings them, or else any if one has to be chosen. */
export function wishOfCompanion(field: WishField | undefined, ofBringer: string | undefined): string | undefined {
  if (!field) return undefined
  const own = field.options.find(({ value }) => value === ofBringer)
  return own?.value ?? (field.isRequired ? field.options[0]?.value : '')
}
