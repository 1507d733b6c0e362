type QualificationState = {
  title: string
  abbreviation: string
  categoryId: number
  includes: readonly number[]
  validMonths: number | null
}

/** Everything that the form shows as one text. If it differs on saving, another request has changed the qualification. */
export const formStateOf = ({ title, abbreviation, categoryId, includes, validMonths }: QualificationState): string =>
  JSON.stringify([title, abbreviation, categoryId, [...includes].sort((a, b) => a - b), validMonths])
