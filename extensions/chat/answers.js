/** @typedef {import('turnout/extension').ServiceResponse} ServiceResponse */

/** The JSON object of a response; empty if it is none. @param {ServiceResponse | undefined} response @returns {Record<string, any>} */
export function readObject(response) {
  try {
    const value = JSON.parse(response?.text ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

/** Words of a message that can be a code. @param {unknown} text @returns {string[]} */
export const findCodes = (text) => (typeof text === 'string' ? (text.match(/\b[A-Za-z0-9]{12}\b/g) ?? []).slice(0, 3) : [])
