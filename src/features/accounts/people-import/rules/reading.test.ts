import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { detectOrder, parseDay } from '#platform/i18n/typed-dates.ts'
import { foldName } from '#platform/spreadsheet/fold-name.ts'
import {
  type ColumnUse,
  checkMapping,
  columnName,
  findHeadingRow,
  guessUses,
  qualificationOf,
  recogniseByContent,
  recogniseColumns,
} from './columns.ts'
import { canBeUndone, effectiveOrders, findOrders, headingsOf, type ImportState, isDate, suggestSettings } from './import.ts'
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
    ['Tel. mobil|Tel. privat|E-Mail (privat)', 'phone||email'],
    ['Gruppe|Team|Gültig bis', 'groups|groups|qualifications_until'],
    [
      'Erste Hilfe gültig bis|EH bis|Truck C1 valid until|Ablauf Erste-Hilfe',
      'qualification:4|qualification:4|qualification:5|qualification:4',
    ],
    ['Atemschutz gültig bis|Valid until: Crane|AGT bis|bis', 'named_qualification|named_qualification||'],
    ['Erste-Hilfe|eh|truck c1|Straße', 'qualification:4|qualification:4|qualification:5|'],
    ['Name|User name|Guardian', 'name|username|guardians'],
    ['Name|Benutzername|Sorgeberechtigte|E-Mail Eltern', 'name|username|guardians|guardians'],
    ['Ausbildung|Skills', 'qualifications|qualifications'],
    ['E-Mail|e-mail', 'email|'],
    ['Name|Nachname|Mail', 'name|last_name|email'],
    ['Administrator|is_staff|superuser|password', '|||'],
  ] as const)
    test(`${headings} are recognised`, () => assert.equal(recogniseColumns(headings.split('|'), QUALIFICATIONS).join('|'), uses))

  const rows = (...lines: string[]) => lines.map((line, index) => ({ number: index + 1, cells: line.split('|') }))
  test('have their headings below a title', () => {
    assert.equal(findHeadingRow(rows('Members 2031', 'as of today', 'Name|E-Mail', 'Ann|a@b.c'), []), 3)
    assert.equal(findHeadingRow(rows('Ann|a@b.c', 'Name|E-Mail'), []), 0)
    assert.equal(findHeadingRow(rows('wer|wohin', 'Ann|a@b.c'), []), 1)
    assert.equal(findHeadingRow(rows('Club|of|the|year', 'Name|E-Mail', 'Ann|a@b.c'), []), 2)
  })
  test('have the first of the rows with most headings', () => {
    assert.equal(findHeadingRow(rows('Name|E-Mail|Phone', 'Group|Language', 'Ann|a@b.c'), []), 1)
    assert.equal(findHeadingRow(rows('Name|Phone', 'Group|Language', 'Ann|a@b.c'), []), 1)
    assert.equal(findHeadingRow(rows('Name|Phone', 'Name|Group|Language', 'Ann|a@b.c'), []), 2)
  })
  test('have their headings in the first 20 rows', () => {
    const notes = (count: number) => Array.from({ length: count }, () => 'note')
    assert.equal(findHeadingRow(rows(...notes(19), 'Name|E-Mail'), []), 20)
    assert.equal(findHeadingRow(rows(...notes(20), 'Name|E-Mail'), []), 1)
  })
  test('are compared without case, accents and punctuation', () =>
    assert.deepEqual(['Straße', 'STRASSE', 'É. Lève-2'].map(foldName), ['strasse', 'strasse', 'eleve2']))

  const isDay = (text: string) => /^\d+\.\d+\.\d+$/.test(text)
  for (const [what, lines, uses] of [
    ['of one row', ['Ann|a@b.c'], ['name', 'email']],
    ['of no row', [], []],
    ['with empty cells', ['a@b.c', '', ''], ['email']],
    ['whose cells are addresses by half', ['a@b.c', 'x7'], ['']],
    ['whose cells are mostly addresses', ['a@b.c', 'x7', 'd@e.f'], ['email']],
    ['with two columns of names', ['Ann|Lee'], ['name', '']],
    ['with a day', ['1.2.1980'], ['birth_date']],
    ['beyond the first 20 rows', [...Array.from({ length: 20 }, () => 'a@b.c'), 'Ann|0171 23456'], ['email']],
    ['up to the 20th row', [...Array.from({ length: 19 }, () => 'a@b.c'), 'Ann|0171 23456'], ['email', 'phone']],
  ] as [string, string[], ColumnUse[]][])
    test(`${what} are recognised by content as ${uses.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(recogniseByContent(rows(...lines), isDay), uses))

  test('of headings have the width of the widest row', () => {
    const list = rows('Name|E-Mail|Gruppe', 'Ann|a@b.c|x7|more')
    const settings = suggestSettings(3, list, QUALIFICATIONS)
    assert.deepEqual([settings.sheet, settings.headingRow], [3, 1])
    assert.deepEqual(settings.uses, ['name', 'email', 'groups', ''])
    assert.deepEqual(headingsOf(list, 1), ['Name', 'E-Mail', 'Gruppe'])
    assert.deepEqual(headingsOf(list, 2), ['Ann', 'a@b.c', 'x7', 'more'])
    assert.deepEqual(headingsOf(list, 0), [])
    assert.deepEqual(suggestSettings(0, [], []).uses, [])
  })

  test('without headings are recognised by their content', () => {
    const settings = suggestSettings(0, rows('Ann Lee|a@b.c|3.5.1980|0171 23456|x7', 'Ben|b@b.c|1.1.1990|+49 40 123|z9'), [])
    assert.deepEqual([settings.headingRow, settings.uses], [0, ['name', 'email', 'birth_date', 'phone', '']])
  })

  test('that are left out are guessed by their cells, unless another column is used so', () => {
    const list = rows('Ann|a@b.c|1.5.1980|x@b.c|0171 23456|7', 'Ben|b@b.c|3.4.1981|y@b.c|0171 23457|8')
    assert.deepEqual(guessUses(list, ['name', 'email', '', '', '', ''], isDate), ['', '', 'birth_date', '', 'phone', ''])
    assert.deepEqual(guessUses(list, ['', 'username', '', '', 'phone', ''], isDate), ['', '', 'birth_date', 'email', '', ''])
  })

  test('need names and addresses, each once', () => {
    for (const uses of [
      ['name', 'email'],
      ['name', 'username'],
      ['name', 'guardians'],
      ['last_name', 'email'],
      ['first_name', 'email'],
      ['name', 'email', 'groups', 'groups', 'qualifications', 'qualifications', 'guardians', 'guardians', '', ''],
    ] as ColumnUse[][])
      assert.equal(checkMapping(uses), undefined, uses.join(', '))
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
    ['12/13/1980', undefined, '1980-12-13'],
    ['13/12/1980', undefined, '1980-12-13'],
    ['12/11/1980', undefined, 'ambiguous'],
    ['11/12/1980', undefined, 'ambiguous'],
    ['13/14/1980', undefined, undefined],
    ['3 Foo 1980', undefined, undefined],
    ['soon', undefined, undefined],
    ['29344', undefined, undefined],
  ] as const)
    test(`${text}${order ? ` (${order})` : ''} is ${day}`, () => assert.equal(parseDay(text, { order, lastYear: 2031 }), day))

  for (const [index, names] of [
    'Jan Januar January Jänner',
    'Feb Februar February Feber',
    'Mar Mrz März Maerz March',
    'Apr April',
    'Mai May',
    'Jun Juni June',
    'Jul Juli July',
    'Aug August',
    'Sep Sept September',
    'Okt Oct Oktober October',
    'Nov November',
    'Dez Dec Dezember December',
  ].entries())
    test(`${names} are month ${index + 1}`, () => {
      for (const name of names.split(' ')) {
        const day = `1980-${String(index + 1).padStart(2, '0')}-03`
        assert.equal(parseDay(`3. ${name} 1980`, { order: undefined, lastYear: 2031 }), day)
        assert.equal(parseDay(`${name} 3, 1980`, { order: undefined, lastYear: 2031 }), day)
      }
    })

  for (const [text, lastYear, day] of [
    ['3.5.10', 2010, '2010-05-03'],
    ['3.5.11', 2010, '1911-05-03'],
    ['3.5.99', 2099, '2099-05-03'],
    ['3.5.00', 2099, '2000-05-03'],
  ] as const)
    test(`the short year of ${text} is up to ${lastYear}`, () =>
      assert.equal(parseDay(text, { order: undefined, lastYear }), day))

  test('have an order in each column with dates', () => {
    const rows = ['03/04/1980|31/01/2030|03/04/2030|05/31/1980|1.1.1980', '04/04/1980'].map((line, index) => ({
      number: index + 1,
      cells: line.split('|'),
    }))
    const uses: ColumnUse[] = ['birth_date', 'qualifications_until', 'name', 'qualification:4', 'qualification:5']
    const found = findOrders(rows, uses)
    assert.deepEqual(found, [
      { column: 0, found: 'ambiguous' },
      { column: 1, found: 'dmy' },
      { column: 3, found: 'mdy' },
    ])
    assert.deepEqual(effectiveOrders(found, {}), { 1: 'dmy', 3: 'mdy' })
    assert.deepEqual(effectiveOrders(found, { 0: 'mdy', 1: 'mdy', 3: 'dmy' }), { 0: 'mdy', 1: 'dmy', 3: 'mdy' })
  })

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
  test('are one name if the whole cell is known, and none if it is empty', () => {
    assert.deepEqual(
      splitNames(' Smith; Jones ', (name) => name === 'Smith; Jones'),
      ['Smith; Jones'],
    )
    assert.deepEqual(
      splitNames(' ', () => true),
      [],
    )
  })

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
    headings: [],
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
    const both: ColumnUse[] = ['qualification:4', 'qualification:4']
    const held = (...cells: string[]) => read(both, ...cells).qualifications.map(({ until }) => until)
    assert.deepEqual(
      [held('x', '1.6.2035'), held('x', ''), held('', '1.6.2035'), held('', '')],
      [['2035-06-01'], [null], ['2035-06-01'], []],
    )
  })

  test('hold the qualification that the heading names, with its last day', () => {
    const headings = ['Atemschutz gültig bis', 'Valid until: Crane', 'Ablaufdatum Sanitäter', 'Kette (gültig bis)', 'Boot']
    const uses = headings.map((): ColumnUse => 'named_qualification')
    const cells = ['31.12.2035', '2034-01-31', 'x', '', '1.6.35']
    assert.deepEqual(readRow({ number: 2, cells }, reading(uses, { headings })).qualifications, [
      { name: 'Atemschutz', until: '2035-12-31' },
      { name: 'Crane', until: '2034-01-31' },
      { name: 'Sanitäter', until: null },
      { name: 'Boot', until: '2035-06-01' },
    ])
    assert.deepEqual(headings.map(qualificationOf), ['Atemschutz', 'Crane', 'Sanitäter', 'Kette', 'Boot'])
    assert.equal(qualificationOf('gültig bis'), 'gültig bis')
  })

  test('name guardians by address or user name', () => {
    const read = readRow(
      { number: 2, cells: ['Petra <petra@a.example>; paul.l, PETRA@a.example', '-'] },
      reading(['guardians', 'guardians']),
    )
    assert.deepEqual(read.guardians, ['petra@a.example', 'paul.l'])
  })

  for (const [language, names] of [
    ['en', 'en ENG English Englisch'],
    ['de', 'de deu ger German Deutsch'],
  ] as const)
    for (const name of names.split(' '))
      test(`with the language ${name} have ${language}`, () => {
        const { language: found, problems } = read(['name', 'language'], 'Ann', name)
        assert.deepEqual([found, problems], [language, []])
      })

  for (const [text, isHeld] of [
    ...'x ja J yes Y true WAHR 1 unlimited unbegrenzt unbefristet'.split(' ').map((word) => [word, true] as const),
    ...['', '-', 'nein', 'N', 'no', 'false', 'Falsch', '0'].map((word) => [word, false] as const),
  ])
    test(`with “${text}” in the column of a qualification ${isHeld ? 'hold' : 'do not hold'} it`, () => {
      const { qualifications, problems } = read(['name', 'qualification:4'], 'Ann', text)
      assert.deepEqual([qualifications, problems], [isHeld ? [{ name: '', qualificationId: 4, until: null }] : [], []])
    })

  for (const [text, orders, day, code] of [
    ['', {}, null, undefined],
    ['1.1.1900', {}, '1900-01-01', undefined],
    ['31.12.1899', {}, null, 'birth_date_invalid'],
    ['1.5.2031', {}, '2031-05-01', undefined],
    ['1.1.31', {}, '2031-01-01', undefined],
    ['1.1.32', {}, '1932-01-01', undefined],
    ['02/03/2001', { 1: 'mdy' }, '2001-02-03', undefined],
    ['02/03/2001', { 0: 'mdy' }, null, 'birth_date_ambiguous'],
  ] as [string, Reading['orders'], string | null, string | undefined][])
    test(`with the birth date “${text}” ${JSON.stringify(orders)} have ${day ?? code ?? 'none'}`, () => {
      const found = readRow({ number: 2, cells: ['Ann', text] }, reading(['name', 'birth_date'], { orders }))
      assert.deepEqual([found.birthDate, found.problems], [day, code ? [{ code, value: text }] : []])
    })

  for (const [text, phone, isValid] of [
    ['0171 2', '+49171 2', true],
    ['ask Ben', 'ask Ben', false],
    ['', null, true],
  ] as const)
    test(`with the phone number “${text}” have ${phone}`, () => {
      const found = read(['name', 'phone'], 'Ann', text)
      assert.deepEqual([found.phone, found.isPhoneValid], [phone, isValid])
    })

  for (const [text, until, codes] of [
    ['31.12.81', '2081-12-31', []],
    ['31.12.82', '1982-12-31', []],
    ['02/03/2032', null, ['until_ambiguous']],
    ['31.02.2032', null, ['until_invalid']],
  ] as const)
    test(`with the expiry ${text} end ${until ?? codes[0]}`, () => {
      const found = read(['name', 'qualification:4'], 'Ann', text)
      assert.equal(found.qualifications[0]?.until, until)
      assert.deepEqual(
        found.problems.map(({ code }) => code),
        codes,
      )
    })

  test('with long values name their beginning', () => {
    const start = 'abcdefghij'.repeat(8)
    assert.deepEqual(read(['name', 'email'], 'Ann', `${start}k`).problems, [{ code: 'email_invalid', value: start }])
    assert.deepEqual(codes(['username'], `${start}/k`), [{ code: 'username_invalid', value: start }])
    assert.deepEqual(codes(['groups'], `${start}${'x'.repeat(174)}`), [])
    assert.deepEqual(codes(['groups'], `${start}${'x'.repeat(175)}`), [{ code: 'too_long', value: `${start.slice(0, 40)}…` }])
  })

  test('have a user name or none', () => {
    const found = [read(['name', 'username'], 'Ann', 'ann.lee'), read(['name', 'username'], 'Ann', '')]
    assert.deepEqual(
      found.map(({ username, problems }) => [username, problems]),
      [
        ['ann.lee', []],
        [null, []],
      ],
    )
  })

  test('leave out dashes in lists', () => {
    const found = read(['groups', 'qualifications', 'guardians'], '-; Helpers', 'A; –', '-; paul')
    assert.deepEqual([found.groups, found.qualifications, found.guardians], [['Helpers'], [{ name: 'A', until: null }], ['paul']])
  })

  test('keep the comma in the name of a qualification, also before its day', () => {
    const isQualification = (folded: string) => folded === 'truckc1'
    const found = (cell: string) =>
      readRow({ number: 2, cells: ['Ann', cell] }, reading(['name', 'qualifications'], { isQualification })).qualifications
    assert.deepEqual(found('Truck, C1'), [{ name: 'Truck, C1', until: null }])
    assert.deepEqual(found('Truck, C1 (2032-01-31)'), [{ name: 'Truck, C1', until: '2032-01-31' }])
  })

  test('name each group once', () =>
    assert.deepEqual(read(['groups', 'groups'], 'Helpers; HELPERS', 'helpers').groups, ['Helpers']))
})

describe('an import can be undone', () => {
  const NOW = new Date('2031-06-02T12:00:00Z')
  for (const [what, state, appliedAt, isPossible] of [
    ['at once', 'applied', '2031-06-02T12:00:00Z', true],
    ['just before a day is over', 'applied', '2031-06-01T12:00:00.001Z', true],
    ['not after a day', 'applied', '2031-06-01T12:00:00Z', false],
    ['not while it runs', 'running', '2031-06-02T12:00:00Z', false],
    ['not twice', 'undone', '2031-06-02T12:00:00Z', false],
    ['not before it was applied', 'applied', null, false],
  ] as [string, ImportState, string | null, boolean][])
    test(what, () =>
      assert.equal(canBeUndone({ state, appliedAt: appliedAt === null ? null : new Date(appliedAt) }, NOW), isPossible),
    )
})
