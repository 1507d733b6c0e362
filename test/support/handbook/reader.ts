import assert from 'node:assert/strict'
import { type Element, parseHtml, textOf, walk } from '#test/support/html-tree.ts'
import type { Browser } from '#test/support/http-browser.ts'

const isBox = ({ attributes: { type } }: Element): boolean => type === 'checkbox' || type === 'radio'
const isHidden = (element: Element): boolean =>
  'hidden' in element.attributes || (element.parent !== undefined && isHidden(element.parent))
const ascend = (element: Element, isWanted: (each: Element) => boolean): Element | undefined =>
  isWanted(element) ? element : element.parent && ascend(element.parent, isWanted)
const closest = (element: Element, tag: string): Element | undefined => ascend(element, (each) => each.tag === tag)

const ownTextOf = ({ children }: Element): string =>
  children
    .filter((each) => typeof each === 'string')
    .join('')
    .trim()

/** `Sign up` names `Sign up 3 places`, but no `Sign-up form`. */
const isNamed = (element: Element, label: string): boolean =>
  [textOf(element), ownTextOf(element), element.attributes['aria-label'] ?? ''].some(
    (text) => text === label || text.startsWith(`${label} `) || text.startsWith(`${label}:`) || text.startsWith(`${label}*`),
  )

/** Somebody who does what the handbook says, without scripts: knows only what is on the page, by the names in bold. */
export class Reader {
  readonly #browser: Browser
  #path = ''
  #page: Element = { tag: '#document', attributes: {}, children: [] }
  /** What was entered on this page: names of fields with their values. */
  #entered = new Map<Element, string | boolean>()
  #opened = new Set<Element>()
  constructor(browser: Browser) {
    this.#browser = browser
  }

  get path(): string {
    return this.#path
  }
  get text(): string {
    return textOf(this.#page)
  }

  async open(path: string): Promise<void> {
    await this.#arrive(path, await this.#browser.get(path))
  }

  async #arrive(path: string, answer: Awaited<ReturnType<Browser['get']>>): Promise<void> {
    const { location } = answer.headers
    if (typeof location === 'string') {
      const { pathname, search } = new URL(location, 'http://here')
      return this.open(pathname + search)
    }
    const complaints = [...walk(parseHtml(answer.body))].filter(({ attributes }) => /\berror/.test(attributes.class ?? ''))
    assert.equal(answer.statusCode, 200, `${path}: ${answer.statusCode} ${complaints.map(textOf).join(' ')}`)
    this.#path = path
    this.#page = parseHtml(answer.body)
    this.#entered = new Map()
    this.#opened = new Set()
  }

  /** Elements with these tags whose text, or the text of a part, is the name: on the page itself before the navigation. */
  #named(label: string, tags: readonly string[]): Element[] {
    const owners = [...walk(this.#page)]
      .filter((each) => isNamed(each, label) && !isHidden(each))
      .map((each) => ascend(each, ({ tag }) => tags.includes(tag)))
    const all = [...new Set(owners)].filter((each) => each !== undefined)
    return [...all.filter((each) => closest(each, 'main')), ...all.filter((each) => !closest(each, 'main'))]
  }

  #fieldsOf(form: Element): Element[] {
    return [...walk(this.#page)].filter(
      (each) =>
        ['input', 'textarea', 'select'].includes(each.tag) &&
        'name' in each.attributes &&
        !('disabled' in each.attributes) &&
        (each.attributes.form === undefined ? closest(each, 'form') === form : each.attributes.form === form.attributes.id),
    )
  }

  #fieldNamed(label: string): Element | undefined {
    for (const found of this.#named(label, ['label', 'legend'])) {
      const { for: id } = found.attributes
      const place = found.tag === 'legend' ? found.parent! : found
      const field = [...walk(id === undefined ? place : this.#page)].find(
        (each) =>
          ['input', 'textarea', 'select'].includes(each.tag) &&
          each.attributes.type !== 'hidden' &&
          (id === undefined || each.attributes.id === id),
      )
      if (field) return field
    }
    return undefined
  }

  /** Fills a field, or chooses the option with this text. */
  enter(label: string, value: string): void {
    const field = this.#fieldNamed(label)
    assert.ok(field, `${this.#path} has no field ${label}`)
    const option = [...walk(field)].find((each) => each.tag === 'option' && textOf(each).startsWith(value))
    this.#entered.set(field, option ? (option.attributes.value ?? textOf(option)) : value)
  }

  /** The field that has this name in the form: for what the handbook describes without a name. */
  enterByName(name: string, value: string): void {
    const field = [...walk(this.#page)].find(
      (each) => each.attributes.name === name && (!isBox(each) || each.attributes.value === value),
    )
    assert.ok(field, `${this.#path} has no field called ${name}`)
    this.#entered.set(field, isBox(field) ? true : value)
  }

  /**
   * What a name in bold asks for: follows a link, presses a button, ticks a box or chooses; headings, menus and fields only have to be there.
   */
  async use(label: string): Promise<void> {
    const [button] = this.#named(label, ['button'])
    const link = this.#named(label, ['a']).find(({ attributes: { href = '' } }) => href.startsWith('/'))
    if (link?.attributes.href && (!button || closest(link, 'main'))) return this.open(link.attributes.href.replace(/#.*/, ''))
    // A menu or a folded part that has the same name as the button in it is opened first.
    const [fold] = this.#named(label, ['summary'])
    if (fold && !this.#opened.has(fold)) {
      this.#opened.add(fold)
      return
    }
    const field = this.#fieldNamed(label)
    if (button && !field && (button.attributes.type ?? 'submit') === 'submit') return this.press(button)
    if (field?.tag === 'select') {
      const option = [...walk(field)].find(({ tag, attributes }) => tag === 'option' && attributes.value)
      if (option && !this.#entered.has(field)) this.#entered.set(field, option.attributes.value!)
      return
    }
    if (field) {
      // Of two choices that a step offers, the first.
      const isDecided = [...this.#entered.keys()].some(({ attributes }) => attributes.name === field.attributes.name)
      if (isBox(field) && !(field.attributes.type === 'radio' && isDecided)) this.#entered.set(field, true)
      return
    }
    const [option] = this.#named(label, ['option'])
    const list = option && closest(option, 'select')
    if (list) {
      if (!this.#entered.has(list)) this.#entered.set(list, option.attributes.value ?? textOf(option))
      return
    }
    const anything = [
      'summary',
      'button',
      'h1',
      'h2',
      'h3',
      'legend',
      'option',
      'strong',
      'span',
      'th',
      'td',
      'p',
      'dt',
      'label',
      'small',
    ]
    assert.ok(this.#named(label, anything).length > 0, `${this.#path} has no ${label}`)
  }

  /** The main button of the page, where the handbook only says to confirm. */
  async confirm(): Promise<void> {
    const buttons = [...walk(this.#page)].filter(
      (each) =>
        each.tag === 'button' &&
        (each.attributes.type ?? 'submit') === 'submit' &&
        closest(each, 'main') !== undefined &&
        closest(each, 'form')?.attributes.method === 'post',
    )
    const isMain = ({ attributes }: Element) => /\b(primary|danger)\b/.test(attributes.class ?? '')
    const button = buttons.filter(isMain).at(-1) ?? buttons[0]
    assert.ok(button, `${this.#path} has nothing to confirm`)
    await this.press(button)
  }

  async press(button: Element): Promise<void> {
    const owner = button.attributes.form
    const form =
      owner === undefined
        ? closest(button, 'form')
        : [...walk(this.#page)].find(({ tag, attributes }) => tag === 'form' && attributes.id === owner)
    assert.ok(form, `${textOf(button)} at ${this.#path} belongs to no form`)
    const sent = this.#valuesOf(form, button)
    const action = button.attributes.formaction ?? form.attributes.action ?? this.#path
    const path = new URL(action, `http://here${this.#path}`)
    if (form.attributes.method !== 'post') {
      const query = new URLSearchParams(sent).toString()
      return this.open(`${path.pathname}?${query}`)
    }
    const place = path.pathname + path.search
    if (form.attributes.enctype === 'multipart/form-data') {
      const parts = sent.map(([name, value]) => `--part\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      const body = Buffer.from(`${parts.join('')}--part--\r\n`)
      return this.#arrive(place, await this.#browser.postBytes(place, body, 'multipart/form-data; boundary=part'))
    }
    const body = Buffer.from(new URLSearchParams(sent).toString())
    await this.#arrive(place, await this.#browser.postBytes(place, body, 'application/x-www-form-urlencoded'))
  }

  #valuesOf(form: Element, button: Element): [string, string][] {
    const sent: [string, string][] = []
    const fields = this.#fieldsOf(form)
    const chosenRadios = new Set(
      fields
        .filter((each) => each.attributes.type === 'radio' && this.#entered.has(each))
        .map(({ attributes }) => attributes.name!),
    )
    for (const field of fields) {
      const { name = '', type = '', value = '' } = field.attributes
      if (type === 'file' || type === 'submit') continue
      const entered = this.#entered.get(field)
      if (isBox(field)) {
        const isOn = type === 'radio' && chosenRadios.has(name) ? entered === true : (entered ?? 'checked' in field.attributes)
        if (isOn) sent.push([name, value || 'on'])
        continue
      }
      if (field.tag === 'select') {
        const options = [...walk(field)].filter(({ tag }) => tag === 'option')
        const chosen = options.find(({ attributes }) => 'selected' in attributes) ?? options[0]
        if (entered !== undefined || chosen) sent.push([name, String(entered ?? chosen!.attributes.value ?? textOf(chosen!))])
        continue
      }
      sent.push([name, String(entered ?? (field.tag === 'textarea' ? textOf(field) : value))])
    }
    const { name, value = '' } = button.attributes
    return name ? [...sent, [name, value]] : sent
  }
}
