import { setImmediate } from 'node:timers/promises'
import { SaxesParser } from 'saxes'

/** `line`: where the parser stopped, from one. */
export class XmlError extends Error {
  readonly fault: 'doctype' | 'malformed'
  readonly line: number
  constructor(fault: XmlError['fault'], line: number, options?: ErrorOptions) {
    super(`${fault} in line ${line}`, options)
    this.fault = fault
    this.line = line
  }
}

export type XmlHandler = {
  /** Names without a namespace prefix. */
  open?: (name: string, attributes: Readonly<Record<string, string>>, line: number) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

const CHUNK = 256 * 1024
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Refuses document type declarations, so that no entity exists besides the five of XML. Lets other requests run between chunks. */
export async function parseXml(content: Buffer, handler: XmlHandler): Promise<void> {
  const parser = new SaxesParser()
  parser.on('doctype', () => {
    throw new XmlError('doctype', parser.line)
  })
  parser.on('error', (error) => {
    throw new XmlError('malformed', parser.line, { cause: error })
  })
  if (handler.open) {
    const { open } = handler
    parser.on('opentag', ({ name, attributes }) => open(localName(name), attributes as Record<string, string>, parser.line))
  }
  if (handler.close) {
    const { close } = handler
    parser.on('closetag', ({ name }) => close(localName(name)))
  }
  if (handler.text) {
    const { text } = handler
    parser.on('text', text)
    parser.on('cdata', text)
  }
  const isUtf16 = (content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff)
  const decoder = new TextDecoder(isUtf16 ? (content[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8')
  for (let at = 0; at < content.length; at += CHUNK) {
    const isLast = at + CHUNK >= content.length
    parser.write(decoder.decode(content.subarray(at, at + CHUNK), { stream: !isLast }))
    if (!isLast) await setImmediate()
  }
  parser.close()
}
