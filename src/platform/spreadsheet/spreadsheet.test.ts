import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { formatCsv } from '#platform/csv.ts'
import { makeWorkbook, textRows } from '#test/support/workbook.ts'
import { readSpreadsheet, readTable } from './read.ts'
import { SHEET_LIMITS, type SpreadsheetFault } from './sheet.ts'
import { dayOfSerial, isDateFormat, readXlsx } from './xlsx-read.ts'
import { formatXlsx } from './xlsx-write.ts'
import { ZIP_LIMITS } from './zip.ts'

const TABLE = 'Name;E-Mail\r\nJürgen Größe;j@a.example\r\n'
const ROWS = [
  ['Name', 'E-Mail'],
  ['Jürgen Größe', 'j@a.example'],
]
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('texts with separators', () => {
  for (const [what, bytes, encoding] of [
    ['UTF-8', Buffer.from(TABLE), 'utf-8'],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TABLE}`), 'utf-8'],
    ['UTF-16 of Excel', Buffer.from(`\ufeff${TABLE}`, 'utf16le'), 'utf-16'],
    ['UTF-16, most significant byte first', utf16be(`\ufeff${TABLE}`), 'utf-16'],
    ['UTF-16 without a mark', Buffer.from(TABLE, 'utf16le'), 'utf-16'],
    ['Windows-1252', Buffer.from(TABLE, 'latin1'), 'windows-1252'],
  ] as const)
    test(`are read in ${what}`, async () => {
      const read = await readSpreadsheet(bytes)
      assert.equal(read.kind === 'text' && read.encoding, encoding)
      assert.deepEqual(
        read.sheets[0]!.rows.map(({ cells }) => cells),
        ROWS,
      )
    })

  test('of Windows-1252 contain its typographic characters', async () => {
    const read = await readSpreadsheet(Buffer.from([0x41, 0x3b, 0x80, 0x3b, 0x96, 0x3b, 0xe4]))
    assert.deepEqual(read.sheets[0]!.rows[0]!.cells, ['A', '€', '–', 'ä'])
  })

  for (const [what, text, separator, rows] of [
    [
      'a comma',
      'a,b\n1,2',
      ',',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a semicolon with commas in cells',
      'a;b\n1,5;2,5\n3,1;4',
      ';',
      [
        ['a', 'b'],
        ['1,5', '2,5'],
        ['3,1', '4'],
      ],
    ],
    [
      'a tab, as pasted',
      'a\tb\n1; x\t2, y',
      '\t',
      [
        ['a', 'b'],
        ['1; x', '2, y'],
      ],
    ],
    ['the line of Excel', 'sep=|\r\na|b,c', '|', [['a', 'b,c']]],
    ['one column', 'mail\nx@y', ',', [['mail'], ['x@y']]],
    [
      'quotes, line breaks and doubled quotes',
      'a,"b\n""c"""\r"d,e",f',
      ',',
      [
        ['a', 'b\n"c"'],
        ['d,e', 'f'],
      ],
    ],
    [
      'a quote inside of a cell',
      'a;5" pipe\nb;c',
      ';',
      [
        ['a', '5" pipe'],
        ['b', 'c'],
      ],
    ],
    [
      'empty cells at the end',
      'a;b;;\n;c;;',
      ';',
      [
        ['a', 'b'],
        ['', 'c'],
      ],
    ],
  ] as const)
    test(`are separated by ${what}`, () => {
      const read = readTable(text)
      assert.equal(read.kind === 'text' && read.separator, separator)
      assert.deepEqual(
        read.sheets[0]!.rows.map(({ cells }) => cells),
        rows,
      )
    })

  test('keep the numbers of rows across empty ones', () =>
    assert.deepEqual(
      readTable('a;b\n;;\n\n1;2').sheets[0]!.rows.map(({ number }) => number),
      [1, 4],
    ))

  test('give back what an export guarded', () => {
    const cells = ['=1+1', '+49 40 1', "'quoted", '@x', '-3', "O'Neil"]
    assert.deepEqual(readTable(formatCsv([['a', 'b', 'c', 'd', 'e', 'f'], cells], ';')).sheets[0]!.rows[1]!.cells, cells)
  })

  test('with too many rows are refused', async () => {
    const limits = { ...SHEET_LIMITS, maxRows: 3 }
    await assert.rejects(readSpreadsheet(Buffer.from('a;b\n'.repeat(4)), limits), { fault: 'too_long' })
    assert.equal((await readSpreadsheet(Buffer.from('a;b\n'.repeat(3)), limits)).sheets[0]!.rows.length, 3)
  })
})

describe('workbooks', () => {
  const STYLES = `<numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="165" formatCode="0.00 &quot;days&quot;"/></numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/></cellXfs>`
  const cells = async (row: string, more: Partial<Parameters<typeof makeWorkbook>[0]> = {}) =>
    (await readXlsx(makeWorkbook({ sheets: { People: `<row r="7">${row}</row>` }, styles: STYLES, ...more }), SHEET_LIMITS))[0]!
      .rows[0]

  test('have shared, rich, inline and calculated texts', async () => {
    const sharedStrings =
      '<si><t>plain</t></si><si><r><t>ri</t></r><r><t xml:space="preserve">ch </t></r><rPh><t>hint</t></rPh></si>'
    assert.deepEqual(
      await cells(
        '<c r="A7" t="s"><v>0</v></c><c r="C7" t="s"><v>1</v></c><c r="D7" t="inlineStr"><is><t>in</t></is></c><c r="E7" t="str"><f>A1&amp;""</f><v>sum</v></c><c r="F7" t="e"><v>#REF!</v></c><c r="G7" t="b"><v>1</v></c>',
        { sharedStrings },
      ),
      { number: 7, cells: ['plain', '', 'rich', 'in', 'sum', '', 'TRUE'] },
    )
  })

  test('have numbers as text and dates by their format', async () => {
    const row =
      '<c r="A1"><v>4.915112345678E12</v></c><c s="1"><v>29344</v></c><c s="2"><v>29344</v></c><c s="3"><v>29344</v></c><c s="4"><v>29344.5</v></c><c><v>1.5</v></c>'
    assert.deepEqual((await cells(row))!.cells, ['4915112345678', '1980-05-03', '1980-05-03', '29344', '1980-05-03T12:00', '1.5'])
    assert.equal((await cells('<c s="1"><v>27882</v></c>', { uses1904: true }))!.cells[0], '1980-05-03')
  })

  for (const [serial, uses1904, day] of [
    [1, false, '1900-01-01'],
    [59, false, '1900-02-28'],
    [61, false, '1900-03-01'],
    [0, true, '1904-01-01'],
    [46022, false, '2025-12-31'],
    [-1, false, undefined],
    [1e9, false, undefined],
  ] as const)
    test(`day ${serial} of ${uses1904 ? 1904 : 1900} is ${day}`, () => assert.equal(dayOfSerial(serial, uses1904), day))

  for (const [code, isDate] of [
    ['dd/mm/yyyy', true],
    ['[$-407]d. mmmm yyyy;@', true],
    ['mmm-yy', true],
    ['h:mm:ss', false],
    ['[h]:mm', false],
    ['General', false],
    ['0.00" dm"', false],
    ['#,##0\\d', false],
  ] as const)
    test(`the format ${code} ${isDate ? 'shows' : 'does not show'} a date`, () => assert.equal(isDateFormat(code), isDate))

  test('list visible sheets with content', async () => {
    const file = makeWorkbook({
      sheets: { Empty: '', Secret: textRows([['x']]), Members: textRows([['a', 'b']]), More: textRows([['c']]) },
      hidden: ['Secret'],
    })
    assert.deepEqual(
      (await readSpreadsheet(file)).sheets.map(({ name }) => name),
      ['Members', 'More'],
    )
  })

  test('are read as they were written', async () => {
    const rows = [
      ['Name', 'Note'],
      ['Ann & <Ben>', '=1+1\n"x"'],
      ['', '+49 40'],
    ]
    const { sheets } = await readSpreadsheet(await formatXlsx('People / all', rows))
    assert.deepEqual(
      sheets.map(({ name, rows: read }) => [name, read.map(({ cells: each }) => each)]),
      [['People   all', rows]],
    )
  })
})

describe('a workbook that is written', () => {
  const writeAndRead = async (...cells: string[]) => {
    const [sheet] = await readXlsx(await formatXlsx('People', [['Name'], cells]), SHEET_LIMITS)
    return sheet!.rows[1]!.cells
  }
  const sheetOf = async (...cells: string[]) => {
    const files = unzipSync(await formatXlsx('People', [['Name'], cells]))
    return strFromU8(files['xl/worksheets/sheet1.xml']!)
  }

  test('has texts only: formulas are not run', async () => {
    const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', "=cmd|' /C calc'!A0", '=HYPERLINK("https://evil.example")', '\t=1']
    const sheet = await sheetOf(...formulas)
    assert.doesNotMatch(sheet, /<f>|t="str"/)
    assert.equal(sheet.match(/t="inlineStr"/g)!.length, 1 + formulas.length)
    assert.deepEqual(
      await writeAndRead(...formulas),
      formulas.map((text) => text.trim()),
    )
  })

  test('keeps markup and names of characters as text', async () => {
    const texts = ['</t></is></c><f>1</f>', '<![CDATA[x]]>', '&amp; &lt;', '_x0041_', '_x005F_x0041_', '_X0041_', '_x41_']
    assert.deepEqual(await writeAndRead(...texts), texts)
    assert.match(await sheetOf('_x0041_'), />_x005F_x0041_</)
  })

  test('leaves out what XML cannot contain', async () => {
    const sheet = await sheetOf('a\0b\u0007c\u001fd\ufffee\ud800f', 'one\r\ntwo\rthree')
    assert.match(sheet, />abcde\ufffdf</)
    assert.match(sheet, />one\ntwo\nthree</)
  })

  test('shortens texts that are longer than a cell can be', async () => {
    const longest = 'x'.repeat(32_767)
    assert.ok((await sheetOf(longest)).includes(`>${longest}<`), 'the longest text is kept')
    const [, short] = /<t xml:space="preserve">(x+…)</.exec(await sheetOf(`${longest}x`)) ?? assert.fail('it is not shortened')
    assert.equal(short!.length, 32_767)
    assert.match(await sheetOf(`${'x'.repeat(32_765)}🚒🚒`), /x…</, 'a pair of surrogates is not divided')
  })

  for (const [given, name] of [
    ["'Quoted'", 'Quoted'],
    ['', '1'],
    ['[a]:*?/\\b\u0007', 'a      b'],
    ['x'.repeat(40), 'x'.repeat(31)],
    ['<"&>', '&lt;&quot;&amp;&gt;'],
  ])
    test(`has a sheet with a name that programs accept: ${given}`, async () => {
      const files = unzipSync(await formatXlsx(given!, [['Name']]))
      assert.match(strFromU8(files['xl/workbook.xml']!), new RegExp(`<sheet name="${name}"`))
    })
})

describe('files that are refused', () => {
  const refused = (bytes: Buffer, fault: SpreadsheetFault) => assert.rejects(readSpreadsheet(bytes), { fault })
  const DTD = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'

  test('have a document type with external entities, in any part', async () => {
    for (const part of ['xl/workbook.xml', 'xl/sharedStrings.xml', 'xl/styles.xml', 'xl/worksheets/sheet1.xml'])
      await refused(
        makeWorkbook({
          sheets: { A: textRows([['x']]) },
          entries: { [part]: `<?xml version="1.0"?>${DTD}<sst><si><t>&e;</t></si></sst>` },
        }),
        'doctype',
      )
  })

  test('use entities that XML does not have', () =>
    refused(makeWorkbook({ sheets: { A: '<row><c t="inlineStr"><is><t>&e;</t></is></c></row>' } }), 'damaged'))

  /** 5 MB of spaces, packed to some 5 kB. */
  const bomb = makeWorkbook({
    sheets: { A: textRows([['x']]) },
    entries: { 'xl/sharedStrings.xml': new Uint8Array(5_000_000).fill(32) },
  })

  test('become much larger when they are unpacked', () => refused(bomb, 'too_large'))
  test('are unpacked without the limit', async () => {
    const limits = { ...ZIP_LIMITS, maxRatio: Number.POSITIVE_INFINITY }
    // The parser gets all of the spaces and finds no element.
    await assert.rejects(readXlsx(bomb, SHEET_LIMITS, limits), { fault: 'damaged' })
  })

  test('claim a smaller size than they have', async () => {
    const lying = Buffer.from(bomb)
    for (let at = lying.indexOf('PK\x01\x02'); at !== -1; at = lying.indexOf('PK\x01\x02', at + 4))
      lying.writeUInt32LE(10, at + 24)
    await refused(lying, 'too_large')
    // Unpacking stops at the limit.
    await assert.rejects(readXlsx(lying, SHEET_LIMITS, { ...ZIP_LIMITS, maxUnpackedBytes: 1_000_000 }), ({ cause }: Error) => {
      assert.equal((cause as NodeJS.ErrnoException).code, 'ERR_BUFFER_TOO_LARGE')
      return true
    })
  })

  test('are pictures, old workbooks, pages, empty or cut off', async () => {
    await refused(Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0d\x01\x02\x03\x04', 'latin1'), 'unknown_type')
    await refused(Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1', 'latin1'), 'old_excel')
    await refused(Buffer.from('<!DOCTYPE html><table>'), 'unknown_type')
    await refused(Buffer.from(' ;;\n;;'), 'empty')
    await refused(Buffer.alloc(0), 'empty')
    await refused(Buffer.from('a;"b\nc'), 'unclosed_quote')
    await refused(makeWorkbook({ sheets: { A: textRows([['x']]) } }).subarray(0, 300), 'damaged')
    await refused(makeWorkbook({ sheets: { A: '' } }), 'empty')
  })
})
