type Stored = { title: string; abbreviation: string; categoryId: number; includes: readonly number[] }

/** All that a form of a qualification shows, in one text: two that are the same have nothing to overwrite. */
export const seenOf = ({ title, abbreviation, categoryId, includes }: Stored): string =>
  JSON.stringify([title, abbreviation, categoryId, [...includes].sort((a, b) => a - b)])
