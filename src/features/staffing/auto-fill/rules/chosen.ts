import { type CardPerson, cardKey, readCardKey } from '#features/staffing/disposition/rules/cards.ts'

/** A person whom the planner gives a place. `version` null: the person has no participation in the shift yet. */
export type ChosenPerson = { shiftId: number; who: CardPerson; version: number | null; place: string | undefined }

/** Somebody whom the planner keeps on a place while the others are proposed again. */
export type FixedPerson = { placeId: string; who: CardPerson }

export const writeFixed = ({ placeId, who }: FixedPerson): string => `${cardKey(who)}@${placeId}`

export function readFixed(text: string): FixedPerson | undefined {
  const [, key = '', placeId = ''] = /^([\w-]+)@([\s\S]{1,200})$/.exec(text) ?? []
  const who = readCardKey(key)
  return who && 'kind' in who ? { placeId, who } : undefined
}

const PREFIX = 'place-'

/** Name of the field of one place. */
export const fieldName = (placeId: string, index: number): string => `${PREFIX}${placeId}-${index}`

export const writeChosen = ({ shiftId, who, version, place }: ChosenPerson): string =>
  `${shiftId}|${cardKey(who)}|${version ?? ''}|${place === undefined ? '' : `=${place}`}`

function readChosen(text: string): ChosenPerson | undefined {
  const found = /^(\d{1,15})\|([\w-]+)\|(\d{0,15})\|(?:=([\s\S]*))?$/.exec(text)
  const who = found && readCardKey(found[2]!)
  if (!who) return undefined
  return { shiftId: Number(found[1]), who, version: found[3] ? Number(found[3]) : null, place: found[4] }
}

/** The people of a submitted proposal; empty fields are places that stay open. A person is taken once per shift. */
export function readChosenPeople(values: Readonly<Record<string, string | string[]>>): ChosenPerson[] {
  const found = Object.entries(values)
    .filter(([name]) => name.startsWith(PREFIX))
    .flatMap(([, value]) => (typeof value === 'string' ? [readChosen(value)] : value.map(readChosen)))
    .filter((chosen) => chosen !== undefined)
  return [...new Map(found.map((chosen) => [`${chosen.shiftId} ${cardKey(chosen.who)}`, chosen])).values()]
}

/** Everybody in a submitted proposal, with the place that the planner chose for them. */
export const readProposedPeople = (values: Readonly<Record<string, string | string[]>>): FixedPerson[] =>
  readPlaces(values, Object.keys(values))

/** Ticked places of a submitted proposal (`fix` has the names of their fields), with whom the planner chose for them. */
export const readFixedPeople = (values: Readonly<Record<string, string | string[]>>): FixedPerson[] =>
  readPlaces(values, [values.fix ?? []].flat())

function readPlaces(values: Readonly<Record<string, string | string[]>>, names: readonly string[]): FixedPerson[] {
  return names.flatMap((name) => {
    const value = values[name]
    const chosen = typeof value === 'string' ? readChosen(value) : undefined
    const placeId = new RegExp(`^${PREFIX}([\\s\\S]+)-\\d+$`).exec(name)?.[1]
    return chosen && placeId !== undefined ? [{ placeId, who: chosen.who }] : []
  })
}
