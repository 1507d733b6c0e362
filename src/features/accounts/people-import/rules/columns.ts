import { foldName } from '#platform/spreadsheet/fold-name.ts'
/** What a column can contain. */
export const FIELDS = [
  'name',
  'first_name',
  'last_name',
  'email',
  'username',
  'birth_date',
  'phone',
  'language',
  'groups',
  'qualifications',
  'qualifications_until',
  'named_qualification',
  'guardians',
] as const
export type Field = (typeof FIELDS)[number]
/** `qualification:ID`: whether and until when people hold that qualification. Empty: the column is left out. */
export type ColumnUse = Field | `qualification:${number}` | ''

/** Fields that several columns can have. `named_qualification`: the one that the heading names, which may not exist yet. */
const SEVERAL: readonly string[] = ['groups', 'qualifications', 'named_qualification', 'guardians']
const SINGLE: ReadonlySet<string> = new Set(FIELDS.filter((field) => !SEVERAL.includes(field)))

/** Headings as `foldName` returns them, the more specific ones first. */
const HEADINGS: Record<Field, string> = {
  email: 'email emailaddress emailadresse mail mailadresse mailaddress emailprivat privateemail emailprivate',
  username: 'username loginname login signinname benutzername anmeldename nutzername kontoname',
  first_name: 'firstname givenname forename vorname vornamen rufname',
  last_name: 'lastname surname familyname nachname familienname zuname',
  name: 'name fullname displayname anzeigename vollstandigername vornameundnachname vorundnachname vorundzuname vornamenachname namevorname nachnamevorname lastnamefirstname mitglied member person',
  birth_date: 'dateofbirth birthdate birthday dob born geburtsdatum geburtstag gebdatum gebdat geb geboren geborenam',
  phone:
    'mobile mobilephone mobilenumber phonemobile cell cellphone handy handynummer handynr mobil mobilnummer mobilnr mobiltelefon telmobil telefonmobil telhandy telefonhandy handyprivat mobilprivat phone phonenumber telephone telefon telefonnummer tel telnr rufnummer telprivat telefonprivat phoneprivate festnetz',
  language: 'language preferredlanguage sprache',
  groups: 'groups group gruppen gruppe teams team abteilungen abteilung',
  qualifications:
    'qualifications qualification qualifikationen qualifikation skills training trainings ausbildungen ausbildung lehrgange',
  qualifications_until:
    'validuntil qualificationvaliduntil qualificationsvaliduntil expires expiry expirydate expireson gultigbis qualifikationgultigbis qualifikationengultigbis ablauf ablaufdatum',
  named_qualification: '',
  guardians:
    'guardians guardian guardianemail emailguardian emailofguardian legalguardian legalguardians parentemail emailparent emailofparents sorgeberechtigte sorgeberechtigter sorgeberechtigteperson sorgeberechtigtepersonen emailsorgeberechtigte erziehungsberechtigte erziehungsberechtigter emailerziehungsberechtigte emaileltern elternemail emaildereltern vormund',
}
const RANKS = new Map(
  FIELDS.flatMap((field) =>
    HEADINGS[field]
      .split(' ')
      .filter(Boolean)
      .map((heading, rank) => [heading, { use: field as ColumnUse, rank }] as const),
  ),
)

export type NamedQualification = { id: number; name: string; abbreviation: string }

/** Before or after the name of a qualification, in a heading of the last days on which it is valid: “Atemschutz gültig bis”. */
const UNTIL =
  /^(?:gultigbis|ablauf|ablaufdatum|validuntil|expiryof|bis)|(?:gultigbis|ablaufdatum|ablauf|validuntil|expires|expiry|expirydate|bis|until)$/

/** The name of the qualification in such a heading: “Atemschutz” of “Atemschutz gültig bis”. */
export const qualificationOf = (heading: string): string =>
  heading
    .replace(/^(?:gültig bis|ablauf(?:datum)?|valid until|expiry of|bis)\b[\s:]*/iu, '')
    .replace(/[\s:(]*(?:gültig bis|ablauf(?:datum)?|valid until|expir(?:es|y(?: date)?)|bis|until)[\s:)]*$/iu, '')
    .trim() || heading.trim()

const ADDRESS = /[^\s@]+@[^\s@]+/u

/** Shorter ones are abbreviations that could mean anything. */
const SHORTEST_NAME = 4

function recogniseHeading(heading: string, qualifications: readonly NamedQualification[]): { use: ColumnUse; rank: number } {
  const folded = foldName(heading)
  const known = RANKS.get(folded)
  if (known || !folded) return known ?? { use: '', rank: 0 }
  const heldBy = (text: string) =>
    qualifications.filter(({ name, abbreviation }) => foldName(name) === text || (text && foldName(abbreviation) === text))
  const named = heldBy(folded)
  const held = named.length ? named : heldBy(folded.replace(UNTIL, ''))
  if (held.length === 1) return { use: `qualification:${held[0]!.id}`, rank: 0 }
  const isNamed = held.length === 0 && UNTIL.test(folded) && foldName(qualificationOf(heading)).length >= SHORTEST_NAME
  return { use: isNamed ? 'named_qualification' : '', rank: 0 }
}

/** The use of each column by its heading. If two columns have the same use, the more specific heading counts. */
export function recogniseColumns(headings: readonly string[], qualifications: readonly NamedQualification[]): ColumnUse[] {
  const found = headings.map((heading) => recogniseHeading(heading, qualifications))
  const uses = found.map(({ use, rank }, index): ColumnUse => {
    const isBest = (other: { use: ColumnUse; rank: number }, at: number) =>
      other.use !== use || other.rank > rank || (other.rank === rank && at >= index)
    return !SINGLE.has(use) || found.every(isBest) ? use : ''
  })
  // Lists of clubs have “Name” and “Vorname”.
  if (uses.includes('first_name') && !uses.includes('last_name')) return uses.map((use) => (use === 'name' ? 'last_name' : use))
  // A full name beside its parts says the same again.
  if (uses.includes('first_name') && uses.includes('last_name')) return uses.map((use) => (use === 'name' ? '' : use))
  return uses
}

const HEADING_ROWS = 20

type Row = { number: number; cells: readonly string[] }

/** The number of the row with the headings, below titles and notes; 0: there is none, the list starts with a person. */
export function findHeadingRow(rows: readonly Row[], qualifications: readonly NamedQualification[]): number {
  let best = { number: -1, found: 1 }
  for (const { number, cells } of rows.slice(0, HEADING_ROWS)) {
    if (cells.some((cell) => ADDRESS.test(cell))) break
    const found = recogniseColumns(cells, qualifications).filter(Boolean).length
    if (found > best.found) best = { number, found }
  }
  if (best.number !== -1) return best.number
  const [first] = rows
  return first && !first.cells.some((cell) => ADDRESS.test(cell)) ? first.number : 0
}

const SAMPLE_ROWS = 20

/** Without headings, addresses, dates and phone numbers are recognised by their form; the first column of letters is the name. */
export function recogniseByContent(rows: readonly Row[], isDate: (text: string) => boolean): ColumnUse[] {
  const sample = rows.slice(0, SAMPLE_ROWS)
  const width = Math.max(0, ...sample.map(({ cells }) => cells.length))
  const isMost = (column: number, test: (text: string) => boolean) => {
    const filled = sample.map(({ cells }) => cells[column] ?? '').filter(Boolean)
    return filled.length > 0 && filled.filter(test).length * 2 > filled.length
  }
  const uses = Array.from({ length: width }, (_, column): ColumnUse => {
    if (isMost(column, (text) => ADDRESS.test(text))) return 'email'
    if (isMost(column, isDate)) return 'birth_date'
    if (isMost(column, (text) => /^[+0][\d\s/()-]{5,}$/.test(text))) return 'phone'
    return isMost(column, (text) => /^[\p{L}\s.,'’-]+$/u.test(text)) ? 'name' : ''
  })
  return uses.map((use, index) => (uses.indexOf(use) === index ? use : ''))
}

/** What a column that is left out looks like, by its cells; only what no other column is used for. */
export function guessUses(rows: readonly Row[], uses: readonly ColumnUse[], isDate: (text: string) => boolean): ColumnUse[] {
  const unused = rows.slice(0, SAMPLE_ROWS).map(({ number, cells }) => ({
    number,
    cells: uses.map((use, column) => (use === '' ? (cells[column] ?? '') : '')),
  }))
  return recogniseByContent(unused, isDate).map((use) => (use === 'name' || uses.includes(use) ? '' : use))
}

type MappingProblem = { problem: 'mapped_twice'; column: number } | { problem: 'email_unmapped' | 'name_unmapped' }

/** Undefined: people can be read from these columns. */
export function checkMapping(uses: readonly ColumnUse[]): MappingProblem | undefined {
  const twice = uses.findIndex((use, index) => SINGLE.has(use) && uses.indexOf(use) !== index)
  if (twice !== -1) return { problem: 'mapped_twice', column: twice }
  if (!uses.some((use) => use === 'email' || use === 'username' || use === 'guardians')) return { problem: 'email_unmapped' }
  const hasName = uses.includes('name') || uses.includes('last_name') || uses.includes('first_name')
  return hasName ? undefined : { problem: 'name_unmapped' }
}

/** `A`, `B`, …, `AA`, as spreadsheet programs name columns. */
export function columnName(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}
