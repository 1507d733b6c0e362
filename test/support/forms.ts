/** A form of a page as a browser sees it. */
export type PageForm = {
  /** Names of the fields that a reader can fill in. */
  visible: string[]
  /** What is sent if the reader empties every field, once per button. */
  submits: [name: string, value: string][][]
  /** What is sent if the reader changes nothing. */
  filled: [name: string, value: string][]
  action: string
  isMultipart: boolean
}

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(` ${name}(?:="([^"]*)")?(?=[ >])`).exec(tag.replace(/\/?>$/, ' >'))
  return found ? (found[1] ?? '').replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'") : undefined
}

/** The POST forms of a page that have fields. */
export function formsIn(page: string, url: string): PageForm[] {
  return [...page.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].flatMap(([form]) => {
    const head = /^<form\b[^>]*>/.exec(form)![0]
    if (attribute(head, 'method') !== 'post') return []
    const [visible, sent, filled] = [new Set<string>(), [] as [string, string][], [] as [string, string][]]
    for (const [tag] of form.matchAll(/<(?:input|textarea)\b[^>]*>/g)) {
      const [name, type] = [attribute(tag, 'name'), attribute(tag, 'type')]
      if (!name || attribute(tag, 'disabled') !== undefined) continue
      if (type === 'hidden') sent.push([name, attribute(tag, 'value') ?? ''])
      else visible.add(name)
      const isBox = type === 'checkbox' || type === 'radio'
      if (type !== 'hidden' && !isBox) sent.push([name, ''])
      if (!isBox || attribute(tag, 'checked') !== undefined) filled.push([name, attribute(tag, 'value') ?? ''])
    }
    for (const [, tag, options] of form.matchAll(/(<select\b[^>]*>)([\s\S]*?)<\/select>/g)) {
      const values = [...options!.matchAll(/<option\b[^>]*>/g)].map(([option]) => attribute(option, 'value') ?? '')
      visible.add(attribute(tag!, 'name')!)
      sent.push([attribute(tag!, 'name')!, values.includes('') ? '' : (values[0] ?? '')])
      const chosen = [...options!.matchAll(/<option\b[^>]*>/g)].find(([option]) => attribute(option, 'selected') !== undefined)
      filled.push([attribute(tag!, 'name')!, chosen ? (attribute(chosen[0], 'value') ?? '') : (values[0] ?? '')])
    }
    if (!visible.size) return []
    const buttons = [...form.matchAll(/<button\b[^>]*>/g)].filter(([tag]) => attribute(tag, 'type') !== 'button')
    return [
      {
        visible: [...visible],
        filled,
        action: new URL(attribute(head, 'action') ?? url, `http://x${url}`).pathname,
        isMultipart: attribute(head, 'enctype') === 'multipart/form-data',
        submits: buttons.map(([tag]): [string, string][] => {
          const name = attribute(tag, 'name')
          return name ? [...sent, [name, attribute(tag, 'value') ?? '']] : sent
        }),
      },
    ]
  })
}

/** Local links of a page, without fragments. */
export const linksIn = (page: string): string[] => [
  ...new Set([...page.matchAll(/<a\b[^>]* href="(\/[^"#]*)/g)].map(([, href]) => href!.replaceAll('&amp;', '&'))),
]

/** Names of parameters that a page offers: of its GET forms, and of links to itself. */
export const parametersIn = (page: string, path: string): string[] => {
  const forms = [...page.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].filter(([form]) => !/^<form\b[^>]* method="post"/.test(form))
  const fields = forms.flatMap(([form]) =>
    [...form.matchAll(/<(?:input|select)\b[^>]* name="([^"]+)"/g)].map(([, name]) => name!),
  )
  const links = linksIn(page).filter((link) => link.startsWith(`${path}?`))
  return [...new Set([...fields, ...links.flatMap((link) => [...new URLSearchParams(link.split('?')[1]).keys()])])]
}
