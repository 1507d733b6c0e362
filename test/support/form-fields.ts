export type Form = Record<string, string | string[]>

const decoded = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** The fields of the form with this id as a browser would send them, hidden ones included. */
export const fieldsIn = (page: string, id = 'plan'): Form =>
  fieldsOf(new RegExp(`<form [^>]*id="${id}"[\\s\\S]*?</form>`).exec(page)![0])

/** The same of the markup of one form. */
export function fieldsOf(form: string): Form {
  const values: Form = {}
  const add = (name: string, value: string) => {
    const text = decoded(value)
    values[name] = values[name] === undefined ? text : [values[name], text].flat()
  }
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
  for (const [tag] of form.matchAll(/<input [^>]*>/g)) {
    const name = attribute(tag, 'name')
    const isBox = / type="(checkbox|radio)"/.test(tag)
    if (name && name !== 'csrf_token' && !(isBox && !/ checked/.test(tag))) add(name, attribute(tag, 'value') ?? '')
  }
  for (const [, tag, text] of form.matchAll(/<textarea ([^>]*)>\n?([\s\S]*?)<\/textarea>/g))
    add(attribute(` ${tag}`, 'name')!, text!)
  for (const [, tag, options] of form.matchAll(/<select ([^>]*)>([\s\S]*?)<\/select>/g)) {
    const all = [...options!.matchAll(/<option ([^>]*)>/g)].map(([, each]) => ` ${each}`)
    const chosen = all.find((each) => / selected/.test(each)) ?? all[0]
    if (chosen) add(attribute(` ${tag}`, 'name')!, attribute(chosen, 'value') ?? '')
  }
  return values
}
