import { openZip, type ZipLimits } from '../spreadsheet/zip.ts'
import { parseXml } from '../xml.ts'

/** Presentations have some thousand parts. What is read here are lists of parts, which are small. */
const LIMITS: ZipLimits = { maxEntries: 50_000, maxUnpackedBytes: 50_000_000, maxRatio: 200 }

/** What an Office or OpenDocument archive says about its parts: their types, and how they belong together. */
const LISTS = /(^|\/)(\[content_types\]\.xml|[^/]*\.rels)$|^meta-inf\/manifest\.xml$/
/** Names of attributes in these lists that hold a type, not a name that somebody chose. */
const TYPE_ATTRIBUTE = /^(contenttype|type|media-type)$/
const MACRO_TYPE = /vbaproject|vbadata|macroenabled|macrosheet/
/** Modules and scripts of OpenDocument; lists of modules stay when a file has none. */
const ODF_MACRO = /^(basic\/(?!(.+\/)?script-l[bc]\.xml$)|scripts\/).*[^/]$/
const ODF_LIST = 'meta-inf/manifest.xml'

const plainName = (name: string): string => name.replace(/^(\.?\/)+/, '').toLowerCase()

/**
 * Whether an Office or OpenDocument archive has macros, by the types and relationships of its parts, whatever their names are. An archive
 * that cannot be read, or has two lists with the same name, counts as one with macros: programs that repair it may find some.
 */
export async function declaresMacros(archive: Buffer): Promise<boolean> {
  try {
    const { names, read } = openZip(archive, LIMITS)
    const plain = names.map(plainName)
    const lists = plain.filter((name) => LISTS.test(name))
    if (new Set(lists).size < lists.length || plain.some((name) => ODF_MACRO.test(name))) return true
    for (const [index, name] of plain.entries()) {
      if (!LISTS.test(name)) continue
      if (await listsMacros((await read(names[index]!))!, name === ODF_LIST)) return true
    }
    return false
  } catch {
    return true
  }
}

/** Old versions of OpenOffice name the definition of the list. One that defines something itself stays, and is refused. */
const withoutDoctype = (content: Buffer): Buffer =>
  Buffer.from(content.toString('latin1').replace(/<!DOCTYPE[^[\]<>]*>/, ''), 'latin1')

async function listsMacros(content: Buffer, isOdf: boolean): Promise<boolean> {
  let found = false
  await parseXml(isOdf ? withoutDoctype(content) : content, {
    open: (_name, attributes) => {
      for (const [prefixed, value] of Object.entries(attributes)) {
        const name = prefixed.slice(prefixed.indexOf(':') + 1).toLowerCase()
        if (TYPE_ATTRIBUTE.test(name) && MACRO_TYPE.test(value.toLowerCase())) found = true
        if (isOdf && name === 'full-path' && ODF_MACRO.test(plainName(value))) found = true
      }
    },
  })
  return found
}
