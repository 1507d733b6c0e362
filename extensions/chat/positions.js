/** @typedef {import('turnout/extension').Work} Work */

/** @param {Work} work @param {string} service @returns {Promise<string | undefined>} */
export const getPosition = async ({ db }, service) =>
  /** @type {{ value: string }[]} */ (await db.query('select value from x_chat.position where service = $1', [service]))[0]?.value

/** @param {Work} work @param {string} service @param {string} value */
export const setPosition = ({ change }, service, value) =>
  change((tx) =>
    tx.query(
      `insert into x_chat.position (service, value) values ($1, $2) on conflict (service) do update set value = excluded.value`,
      [service, value],
    ),
  )
