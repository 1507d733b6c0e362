/** An id or the number of a page in a query; undefined for everything else, because people edit addresses by hand. */
export const readId = (text: string | null | undefined): number | undefined =>
  /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : undefined
