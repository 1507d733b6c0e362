import { hash } from 'node:crypto'

/**
 * The number of a person in a draw. Everybody can compute it again from the published seed.
 * @param {string} seed
 * @param {number} personId
 */
export const numberOf = (seed, personId) => hash('sha256', `${seed}:${personId}`, 'hex')

/**
 * Who gets a place. Those who went without in their last draw come first; among equals, the lower number.
 * @param {readonly { personId: number, wentWithout: boolean }[]} applicants
 * @param {{ seed: string, places: number | null }} draw  `places` null: there is room for everybody.
 * @returns {{ personId: number, number: string, hasPriority: boolean, won: boolean }[]} in the order of the draw
 */
export function drawPlaces(applicants, { seed, places }) {
  return applicants
    .map(({ personId, wentWithout }) => ({ personId, number: numberOf(seed, personId), hasPriority: wentWithout }))
    .sort((a, b) => Number(b.hasPriority) - Number(a.hasPriority) || (a.number < b.number ? -1 : 1))
    .map((ticket, index) => ({ ...ticket, won: places === null || index < places }))
}
