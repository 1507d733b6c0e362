import { parseXml as parse, XmlError, type XmlHandler } from '../xml.ts'
import { SpreadsheetError } from './sheet.ts'

export async function parseXml(content: Buffer, handler: XmlHandler): Promise<void> {
  try {
    await parse(content, handler)
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    throw new SpreadsheetError(error.fault === 'doctype' ? 'doctype' : 'damaged', { cause: error })
  }
}
