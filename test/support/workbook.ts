import { strToU8, type Zippable, zipSync } from 'fflate'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

type WorkbookOptions = {
  /** The rows of each sheet as XML, by its name. */
  sheets: Record<string, string>
  hidden?: readonly string[]
  sharedStrings?: string
  styles?: string
  uses1904?: boolean
  /** Replaces entries of the archive. */
  entries?: Record<string, string | Uint8Array>
}

/** A file as spreadsheet programs write it. */
export function makeWorkbook({ sheets, hidden = [], sharedStrings, styles, uses1904, entries = {} }: WorkbookOptions): Buffer {
  const names = Object.keys(sheets)
  const files: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr date1904="${uses1904 ? 1 : 0}"/><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" ${hidden.includes(name) ? 'state="hidden" ' : ''}r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}</Relationships>`,
    ...(sharedStrings === undefined ? {} : { 'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${sharedStrings}</sst>` }),
    ...(styles === undefined ? {} : { 'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>` }),
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${MAIN}"><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
    ...entries,
  }
  const packed: Zippable = {}
  for (const [path, content] of Object.entries(files)) packed[path] = typeof content === 'string' ? strToU8(content) : content
  return Buffer.from(zipSync(packed))
}

/** Rows of inline texts. */
export const textRows = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `<row>${row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`).join('')
