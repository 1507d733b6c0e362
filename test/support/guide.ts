import { readFileSync } from 'node:fs'

/** A fenced block of docs/api/guide.md. */
export type GuideBlock = { language: string; text: string; line: number }

const FENCE = /^\s*(`{3,}|~{3,})\s*(\S*)/

export function readBlocks(markdown: string): GuideBlock[] {
  const blocks: GuideBlock[] = []
  let open: { mark: string; language: string; line: number; lines: string[] } | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    const [, mark, language] = FENCE.exec(line) ?? []
    if (open && mark === open.mark && !language) {
      blocks.push({ language: open.language, text: open.lines.join('\n'), line: open.line })
      open = undefined
    } else if (open) open.lines.push(line)
    else if (mark) open = { mark, language: language!, line: index + 1, lines: [] }
  }
  if (open) throw new Error(`the block at line ${open.line} has no end`)
  return blocks
}

export const GUIDE_BLOCKS = readBlocks(readFileSync(new URL('../../docs/api/guide.md', import.meta.url), 'utf8'))

/** The module of the only block that exports this name. */
export async function importSample(
  name: string,
  blocks = GUIDE_BLOCKS,
): Promise<Record<string, (...given: unknown[]) => unknown>> {
  const [block, ...more] = blocks.filter(({ language, text }) => language === 'js' && text.includes(`export function ${name}(`))
  if (!block || more.length) throw new Error(`expected one js block of the guide with ${name}`)
  return import(`data:text/javascript,${encodeURIComponent(block.text)}`)
}

/** Values that clients compare, so the guide must show them as they are. */
const IDENTIFIERS = new Set(['code', 'pointer', 'parameter', 'status', 'type', 'title'])

/**
 * What differs between an answer in the guide and a real one. The outermost object may be an excerpt; objects inside have all keys.
 * Each element of a list is like one element of the real list.
 */
export function differences(shown: unknown, real: unknown, path = ''): string[] {
  if (Array.isArray(shown) && Array.isArray(real))
    return shown.flatMap((each, index) => {
      const attempts = real.map((one) => differences(each, one, `${path}/${index}`))
      if (attempts.some((found) => !found.length)) return []
      return attempts[0] ?? [`${path}/${index}: the real list is empty`]
    })
  if (isObject(shown) && isObject(real)) {
    const unknown = Object.keys(shown).filter((key) => !(key in real))
    const missing = path ? Object.keys(real).filter((key) => !(key in shown)) : []
    return [
      ...unknown.map((key) => `${path}/${key}: not in the real answer`),
      ...missing.map((key) => `${path}/${key}: missing in the guide`),
      ...Object.keys(shown).flatMap((key) => {
        if (!(key in real)) return []
        const isOther = IDENTIFIERS.has(key) && !isObject(shown[key]) && shown[key] !== real[key]
        return isOther ? [`${path}/${key}: really ${real[key]}`] : differences(shown[key], real[key], `${path}/${key}`)
      }),
    ]
  }
  const [expected, found] = [kindOf(shown), kindOf(real)]
  return expected === found ? [] : [`${path}: ${expected} in the guide, really ${found}`]
}

const isObject = (value: unknown): value is Record<string, unknown> => kindOf(value) === 'object'
const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)
