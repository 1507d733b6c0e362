import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ColumnUse, checkMapping, columnName, findHeadingRow, recogniseColumns } from './columns.ts'
import { detectOrder, parseDay } from './dates.ts'
import { suggestSettings } from './import.ts'
import { joinNames, joinUntil, splitNames, splitUntil } from './lists.ts'
import { type Reading, readRow } from './row.ts'

const QUALIFICATIONS = [
  { id: 4, name: 'Erste Hilfe', abbreviation: 'EH' },
  { id: 5, name: 'Truck (C1)', abbreviation: '' },
]

describe('columns', () => {
  for (const [headings, uses] of [
    [
      'Name|E-Mail|Date of birth|Phone|Language|Groups|Qualifications',
      'name|email|birth_date|phone|language|groups|qualifications',
    ],
    ['Nachname;|VORNAME|E-Mail-Adresse|Geb.-Datum|Handy', 'last_name|first_name|email|birth_date|phone'],
    ['Name|Vorname|Mail', 'last_name|first_name|email'],
    ['Name|Vorname|Nachname|Mail', '|first_name|last_name|email'],
    ['Telefon|Mobil|e-mail', '|phone|email'],
    ['Gruppe|Team|Gültig bis', 'groups|groups|qualifications_until'],
    ['Erste-Hilfe|eh|truck c1|Straße', 'qualification:4|qualification:4|qualification:5|'],
    ['Name|User name|Guardian', 'name|username|guardians'],
    ['Name|Benutzername|Sorgeberechtigte|E-Mail Eltern', 'name|username|guardians|guardians'],
    ['Administrator|is_staff|superuser|password', '|||'],
  ] as const)
    test(`${headings} are recognised`, () => assert.equal(recogniseColumns(headings.split('|'), QUALIFICATIONS).join('|'), uses))

  const rows = (...lines: string[]) => lines.map((line, index) => ({ number: index + 1, cells: line.split('|') }))
  test('have their headings below a title', () => {
    assert.equal(findHeadingRow(rows('Members 2031', 'as of today', 'Name|E-Mail', 'Ann|a@b.c'), []), 3)
    assert.equal(findHeadingRow(rows('Ann|a@b.c', 'Name|E-Mail'), []), 0)
    assert.equal(findHeadingRow(rows('wer|wohin', 'Ann|a@b.c'), []), 1)
  })

  test('without headings are recognised by their content', () => {
    const settings = suggestSettings(0, rows('Ann Lee|a@b.c|3.5.1980|0171 23456|x7', 'Ben|b@b.c|1.1.1990|+49 40 123|z9'), [])
    assert.deepEqual([settings.headingRow, settings.uses], [0, ['name', 'email', 'birth_date', 'phone', '']])
  })

  test('need names and addresses, each once', () => {
    assert.equal(checkMapping(['name', 'email']), undefined)
    assert.deepEqual(checkMapping(['name']), { problem: 'email_unmapped' })
    assert.deepEqual(checkMapping(['email']), { problem: 'name_unmapped' })
    assert.deepEqual(checkMapping(['name', 'email', 'email']), { problem: 'mapped_twice', column: 2 })
  })
  test('have letters', () => assert.deepEqual([0, 25, 26, 99].map(columnName), ['A', 'Z', 'AA', 'CV']))
})

describe('dates', () => {
  for (const [text, order, day] of [
    ['1980-05-03', undefined, '1980-05-03'],
    ['1980-05-03T12:00', undefined, '1980-05-03'],
    ['1980/5/3', undefined, '1980-05-03'],
    ['03.05.1980', undefined, '1980-05-03'],
    ['3. 5. 80', undefined, '1980-05-03'],
    ['3.5.31', undefined, '2031-05-03'],
    ['3.5.32', undefined, '1932-05-03'],
    ['03/05/1980', 'dmy', '1980-05-03'],
    ['03/05/1980', 'mdy', '1980-03-05'],
    ['03/05/1980', undefined, 'ambiguous'],
    ['05/05/1980', undefined, '1980-05-05'],
    ['31/05/1980', undefined, '1980-05-31'],
    ['05/31/1980', undefined, '1980-05-31'],
    ['31/05/1980', 'mdy', undefined],
    ['3. Mai 1980', undefined, '1980-05-03'],
    ['3 März 1980', undefined, '1980-03-03'],
    ['May 3rd, 1980', undefined, '1980-05-03'],
    ['30.02.1980', undefined, undefined],
    ['29.02.1981', undefined, undefined],
    ['13/13/1980', undefined, undefined],
    ['soon', undefined, undefined],
    ['29344', undefined, undefined],
  ] as const)
    test(`${text}${order ? ` (${order})` : ''} is ${day}`, () => assert.equal(parseDay(text, { order, lastYear: 2031 }), day))

  for (const [texts, found] of [
    [['1980-01-01', '1.2.1980'], 'none'],
    [['03/04/1980', '31/01/1980'], 'dmy'],
    [['03/04/1980', '01/31/1980'], 'mdy'],
    [['03/04/1980', '05/06/1990'], 'ambiguous'],
    [['31/01/1980', '01/31/1980'], 'mixed'],
  ] as const)
    test(`${texts.join(' and ')} have the order ${found}`, () => assert.equal(detectOrder(texts), found))
})

describe('lists in one cell', () => {
  const known = (name: string) => ['Smith, Jones & Co', 'A'].includes(name)
  for (const [cell, names] of [
    ['A; B | C\nD', ['A', 'B', 'C', 'D']],
    ['A, B', ['A', 'B']],
    ['Smith, Jones & Co', ['Smith, Jones & Co']],
    ['A; Smith, Jones & Co', ['A', 'Smith, Jones & Co']],
    ['"x; y", z', ['x; y', 'z']],
    [' ; ', []],
  ] as const)
    test(`${JSON.stringify(cell)} are ${names.length}`, () => assert.deepEqual(splitNames(cell, known), names))

  test('are written so that they can be read', () => {
    const names = ['A', 'b; c', 'd "e"', 'f, g']
    assert.deepEqual(splitNames(joinNames(names), known), names)
  })

  const isDay = (text: string) => parseDay(text, { order: 'dmy', lastYear: 2100 }) !== undefined
  for (const [text, name, until] of [
    ['First aid (2027-05-31)', 'First aid', '2027-05-31'],
    ['First aid (until 31.05.2027)', 'First aid', '31.05.2027'],
    ['Erste Hilfe gültig bis 31.05.2027', 'Erste Hilfe', '31.05.2027'],
    ['Truck (C1)', 'Truck (C1)', undefined],
    ['Truck (C1) (2027-05-31)', 'Truck (C1)', '2027-05-31'],
    ['Level (22)', 'Level (22)', undefined],
  ] as const)
    test(`${text} ends ${until}`, () => {
      assert.deepEqual(splitUntil(text, isDay), { name, until })
      if (until === '2027-05-31') assert.equal(joinUntil(name, until), text)
    })
})

describe('rows', () => {
  const reading = (uses: ColumnUse[], more: Partial<Reading> = {}): Reading => ({
    uses,
    orders: {},
    today: '2031-05-01',
    isGroup: () => false,
    isQualification: () => false,
    parsePhone: (text) => (text.startsWith('0') ? `+49${text.slice(1)}` : undefined),
    ...more,
  })
  const read = (uses: ColumnUse[], ...cells: string[]) => readRow({ number: 2, cells }, reading(uses))
  const codes = (uses: ColumnUse[], ...cells: string[]) =>
    read(['name', 'email', ...uses], 'Ann', 'a@b.example', ...cells).problems

  test('have names and addresses in many forms', () => {
    assert.equal(read(['name', 'email'], 'Müller,  Anna ', 'x@y.example').name, 'Anna Müller')
    assert.equal(read(['last_name', 'first_name'], 'Müller', 'Anna').name, 'Anna Müller')
    assert.equal(read(['email'], 'Anna <a@b.example>').email, 'a@b.example')
    assert.equal(read(['email'], 'mailto:a@b.example').email, 'a@b.example')
  })

  for (const [what, problems, code] of [
    ['a wrong user name', codes(['username'], 'Ann Lee'), 'username_invalid'],
    ['a wrong address', read(['name', 'email'], 'Ann', 'ann at home').problems, 'email_invalid'],
    ['two addresses', read(['name', 'email'], 'Ann', 'a@b.example, c@d.example').problems, 'email_invalid'],
    ['no name', read(['name', 'email'], '', 'a@b.example').problems, 'name_missing'],
    ['a long name', read(['name', 'email'], 'x'.repeat(255), 'a@b.example').problems, 'too_long'],
    ['a wrong day', codes(['birth_date'], '31.02.2000'), 'birth_date_invalid'],
    ['an old day', codes(['birth_date'], '1.1.1890'), 'birth_date_invalid'],
    ['a coming day', codes(['birth_date'], '2.5.2031'), 'birth_date_future'],
    ['a day that can be two', codes(['birth_date'], '02/03/2001'), 'birth_date_ambiguous'],
    ['a language', codes(['language'], 'Klingon'), 'language_unknown'],
    ['a wrong expiry', codes(['qualifications', 'qualifications_until'], 'EH', 'someday'), 'until_invalid'],
    ['an unclear holding', codes(['qualification:4'], 'maybe'), 'holds_invalid'],
  ] as const)
    test(`with ${what} have a problem`, () =>
      assert.deepEqual(
        problems.map((each) => each.code),
        [code],
      ))

  test('hold qualifications by lists, by a shared day and by columns', () => {
    const uses: ColumnUse[] = ['qualifications', 'qualifications_until', 'qualification:4', 'qualification:5']
    assert.deepEqual(read(uses, 'A (2030-01-31); B', '31.12.32', 'x', '1.6.2035').qualifications, [
      { name: 'A', until: '2030-01-31' },
      { name: 'B', until: '2032-12-31' },
      { name: '', qualificationId: 4, until: null },
      { name: '', qualificationId: 5, until: '2035-06-01' },
    ])
    for (const no of ['', '-', 'nein', '0']) assert.deepEqual(read(['qualification:4'], no).qualifications, [])
  })

  test('name guardians by address or user name', () => {
    const read = readRow(
      { number: 2, cells: ['Petra <petra@a.example>; paul.l, PETRA@a.example', '-'] },
      reading(['guardians', 'guardians']),
    )
    assert.deepEqual(read.guardians, ['petra@a.example', 'paul.l'])
  })

  test('name each group once', () =>
    assert.deepEqual(read(['groups', 'groups'], 'Helpers; HELPERS', 'helpers').groups, ['Helpers']))
})
