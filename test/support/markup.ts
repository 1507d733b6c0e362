/** A strict reader of the markup that our views make: browsers forgive, this does not. */
export type Element = { name: string; attributes: Map<string, string>; children: Node[]; parent: Element | undefined }
type Node = Element | string

const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'])
const RAW = new Set(['script', 'style', 'textarea', 'title'])
const PHRASING_ONLY = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'span', 'label', 'summary', 'button'])
const BLOCK = new Set([
  'p',
  'div',
  'ul',
  'ol',
  'dl',
  'table',
  'form',
  'fieldset',
  'section',
  'article',
  'header',
  'footer',
  'nav',
  'main',
])
const NOT_INSIDE_ITSELF = new Set(['a', 'form', 'button', 'label'])

/** Everything that is wrong, one line each; whole documents are also checked for their one h1 and for links within the page. */
export function checkMarkup(markup: string): string[] {
  const problems: string[] = []
  const root = parseMarkup(markup, problems)
  const all = [...elementsOf(root)]
  const ids = new Map<string, number>()
  for (const element of all) {
    const id = element.attributes.get('id')
    if (id !== undefined) ids.set(id, (ids.get(id) ?? 0) + 1)
  }
  for (const [id, count] of ids) if (count > 1) problems.push(`id used ${count} times: ${id}`)

  const labelled = new Set(all.filter((element) => element.name === 'label').map((element) => element.attributes.get('for')))
  const isDocument = all.some((element) => element.name === 'html')
  for (const element of all) {
    problems.push(...attributeProblems(element), ...nestingProblems(element), ...nameProblems(element, labelled))
    problems.push(...referenceProblems(element, ids, isDocument))
  }
  const headings = all.filter((element) => element.name === 'h1').length
  if (isDocument && headings !== 1) problems.push(`${headings} h1 elements`)
  return problems
}

export function parseMarkup(markup: string, problems: string[]): Element {
  const root: Element = { name: '#root', attributes: new Map(), children: [], parent: undefined }
  let open = root
  let at = 0
  while (at < markup.length) {
    const next = markup.indexOf('<', at)
    if (next !== at) open.children.push(markup.slice(at, next < 0 ? undefined : next))
    if (next < 0) break
    const tag =
      /^<(?:!doctype [^>]*|!--[\s\S]*?--|(\/?)([a-z][a-z0-9-]*)((?:\s+[^\s=>"'/]+(?:="[^"<]*"|='[^'<]*')?|\s+)*)(\/?))>/i.exec(
        markup.slice(next),
      )
    if (!tag) {
      problems.push(`not a tag: ${markup.slice(next, next + 60)}`)
      at = next + 1
      continue
    }
    at = next + tag[0].length
    const name = tag[2]?.toLowerCase()
    if (!name) continue
    if (tag[1] === '/') {
      if (open.name === name) open = open.parent ?? root
      else problems.push(`</${name}> closes <${open.name}>`)
      continue
    }
    const element: Element = { name, attributes: readAttributes(name, tag[3] ?? '', problems), children: [], parent: open }
    open.children.push(element)
    if (RAW.has(name) && !isInside(element, 'svg')) {
      const end = markup.indexOf(`</${name}>`, at)
      if (end < 0) problems.push(`<${name}> is not closed`)
      element.children.push(markup.slice(at, end < 0 ? undefined : end))
      at = end < 0 ? markup.length : end + name.length + 3
    } else if (tag[4] === '/' ? !isInside(element, 'svg') && !VOID.has(name) : false) {
      problems.push(`<${name}/> cannot close itself`)
    } else if (tag[4] !== '/' && !VOID.has(name)) open = element
  }
  for (let left = open; left.parent; left = left.parent) problems.push(`<${left.name}> is not closed`)
  return root
}

export function* elementsOf(from: Element): Generator<Element> {
  for (const child of from.children) {
    if (typeof child === 'string') continue
    yield child
    yield* elementsOf(child)
  }
}

export function textOf(node: Node): string {
  return typeof node === 'string' ? node : node.children.map(textOf).join('')
}

function readAttributes(tag: string, text: string, problems: string[]): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name, double, single] of text.matchAll(/([^\s=>"'/]+)(?:="([^"]*)"|='([^']*)')?/g)) {
    const key = name!.toLowerCase()
    if (attributes.has(key)) problems.push(`<${tag}> has ${key} twice`)
    attributes.set(key, double ?? single ?? '')
  }
  return attributes
}

function isInside(element: Element, name: string): boolean {
  for (let up = element.parent; up; up = up.parent) if (up.name === name) return true
  return false
}

function attributeProblems({ name, attributes }: Element): string[] {
  const problems: string[] = []
  for (const [attribute, value] of attributes) {
    if (attribute === 'style' || attribute.startsWith('on')) problems.push(`<${name}> has ${attribute}`)
    if (/^\s*(javascript|vbscript|data):/i.test(value) && /^(href|src|action|formaction)$/.test(attribute))
      problems.push(`<${name}> ${attribute}=${value}`)
  }
  if (name === 'style') problems.push('<style> is refused by the content security policy')
  if (name === 'script' && !attributes.get('nonce')) problems.push('<script> without nonce')
  if (name === 'form' && attributes.get('method')?.toLowerCase() === 'get')
    problems.push('method="get" is the default; leave it out')
  return problems
}

function nestingProblems(element: Element): string[] {
  const { name, parent } = element
  const problems: string[] = []
  if (NOT_INSIDE_ITSELF.has(name) && isInside(element, name)) problems.push(`<${name}> inside <${name}>`)
  if (name === 'a' && isInside(element, 'button')) problems.push('<a> inside <button>')
  if (name === 'button' && isInside(element, 'a')) problems.push('<button> inside <a>')
  if (parent && BLOCK.has(name) && PHRASING_ONLY.has(parent.name)) problems.push(`<${name}> inside <${parent.name}>`)
  if (name === 'li' && !/^(ul|ol|menu|#root)$/.test(parent?.name ?? '')) problems.push(`<li> inside <${parent?.name}>`)
  return problems
}

function nameProblems(element: Element, labelled: Set<string | undefined>): string[] {
  const { name, attributes } = element
  const hasLabel = attributes.has('aria-label') || attributes.has('aria-labelledby')
  const title = [...elementsOf(element)].some((child) => child.name === 'title')
  if (name === 'img' && !attributes.has('alt')) return ['<img> without alt']
  if (name === 'svg' && attributes.get('aria-hidden') !== 'true' && !(attributes.get('role') === 'img' && (title || hasLabel)))
    return ['<svg> without alternative']
  if (/^(input|select|textarea|progress)$/.test(name) && attributes.get('type') !== 'hidden') {
    const id = attributes.get('id')
    const isNamed = hasLabel || isInside(element, 'label') || (id !== undefined && labelled.has(id))
    if (!isNamed) return [`<${name} name="${attributes.get('name') ?? ''}"> without label`]
  }
  if (/^(a|button|summary)$/.test(name) && !hasLabel && textOf(element).trim() === '')
    return [`<${name} ${attributes.get('href') ?? ''}> without words`]
  return []
}

function referenceProblems({ name, attributes }: Element, ids: Map<string, number>, isDocument: boolean): string[] {
  if (!isDocument) return []
  const href = attributes.get('href') ?? ''
  const wanted = [
    ...['for', 'aria-describedby', 'aria-labelledby', 'aria-controls'].flatMap(
      (attribute) => attributes.get(attribute)?.split(/\s+/) ?? [],
    ),
    ...(name === 'a' && href.startsWith('#') && href.length > 1 ? [href.slice(1)] : []),
  ]
  return wanted.filter((id) => !ids.has(id)).map((id) => `<${name}> refers to #${id}, which is not there`)
}
