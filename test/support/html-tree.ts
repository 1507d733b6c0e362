/** An element of a page of ours. Their markup is well-formed: other tests check it. */
export type Element = { tag: string; attributes: Record<string, string>; children: (Element | string)[]; parent?: Element }

const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'])
const TOKEN = /<!--[\s\S]*?-->|<!doctype[^>]*>|<(\/?)([a-zA-Z][\w-]*)((?:[^>"]|"[^"]*")*)>|[^<]+/g
const ATTRIBUTE = /([^\s=/"]+)(?:="([^"]*)")?/g
const ENTITIES: Record<string, string> = { quot: '"', '#39': "'", lt: '<', gt: '>', nbsp: ' ', amp: '&' }

const decode = (text: string): string => text.replaceAll(/&(quot|#39|lt|gt|nbsp|amp);/g, (_all, name: string) => ENTITIES[name]!)

/** Texts of scripts and styles are left out. */
export function parseHtml(page: string): Element {
  const root: Element = { tag: '#document', attributes: {}, children: [] }
  let open = root
  for (const [token, end, name, rest] of page.replaceAll(/(<(script|style)\b[^>]*>)[\s\S]*?(?=<\/\2>)/g, '$1').matchAll(TOKEN)) {
    if (name === undefined) {
      if (!token.startsWith('<')) open.children.push(decode(token))
    } else if (end) open = open.parent ?? root
    else {
      const attributes = [...rest!.matchAll(ATTRIBUTE)].map(([, key, value = '']) => [key!, decode(value)])
      const element: Element = { tag: name, attributes: Object.fromEntries(attributes), children: [], parent: open }
      open.children.push(element)
      if (!VOID.has(name) && !rest!.endsWith('/')) open = element
    }
  }
  return root
}

/** The element and all below it, in their order. */
export function* walk(element: Element): Generator<Element> {
  yield element
  for (const child of element.children) if (typeof child !== 'string') yield* walk(child)
}

const classesOf = ({ attributes }: Element): string[] => (attributes.class ?? '').split(/\s+/)

/** `form.plan#id`: one part of a selector. */
function fits(element: Element, part: string): boolean {
  return [...part.matchAll(/([.#]?)([\w-]+)/g)].every(([, kind, name]) => {
    if (kind === '.') return classesOf(element).includes(name!)
    return (kind === '#' ? element.attributes.id : element.tag) === name
  })
}

/** The first element for a selector of tags, classes and ids, such as `main .card`. */
export function findElement(root: Element, selector: string): Element | undefined {
  const parts = selector.split(/\s+/)
  const isMatch = (element: Element): boolean => {
    let above = element.parent
    if (!fits(element, parts.at(-1)!)) return false
    for (const part of parts.slice(0, -1).reverse()) {
      while (above && !fits(above, part)) above = above.parent
      if (!above) return false
      above = above.parent
    }
    return true
  }
  for (const element of walk(root)) if (isMatch(element)) return element
  return undefined
}

/** All text of it, with single spaces. */
export function textOf(element: Element): string {
  const texts = (each: Element): string[] => each.children.flatMap((child) => (typeof child === 'string' ? child : texts(child)))
  return texts(element).join('').replaceAll(/\s+/g, ' ').trim()
}
