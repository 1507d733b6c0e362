import { type CardPerson, cardKey, readCardKey } from '#features/staffing/disposition/rules/cards.ts'

/** A person whom the planner gives a place. `version` null: the person has no participation in the shift yet. */
export type ChosenPerson = { shiftId: number; who: CardPerson; version: number | null; place: string | undefined }

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
