import { type Hole, holesOf, URL_ATTRIBUTES } from './template.ts'

class Markup {
  readonly #markup: string
  constructor(markup: string) {
    this.#markup = markup
  }
  static read(html: Markup): string {
    return html.#markup
  }
}

class Attributes {
  readonly #markup: string
  constructor(markup: string) {
    this.#markup = markup
  }
  static read(attributes: Attributes): string {
    return attributes.#markup
  }
}

/** Escaped markup. Only `html` and `trustedHtml` create it. */
export type Html = Markup
type AttributeList = Attributes
export type Child = Html | AttributeList | string | number | bigint | null | undefined | false | readonly Child[]
export type AttributeValue = string | number | boolean | null | undefined

const ENTITY: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'webcal', 'otpauth'])

/**
 * Escapes every interpolated value for its position. Throws for values that cannot be made safe there (markup in an attribute,
 * anything in a script).
 */
export function html(strings: TemplateStringsArray, ...values: Child[]): Html {
  const holes = holesOf(strings)
  let markup = strings[0] ?? ''
  for (let i = 0; i < values.length; i++) markup += fill(holes[i]!, values[i]) + (strings[i + 1] ?? '')
  return new Markup(markup)
}

/** Skips escaping: only for markup that this program generated. */
export function trustedHtml(markup: string): Html {
  return new Markup(markup)
}

export function renderHtml(html: Html): string {
  return Markup.read(html)
}

/** `true` gives a bare attribute; `false`, `null` and `undefined` leave it out. Stands inside a tag: `<input ${attrs({…})}>`. */
export function attrs(attributes: Record<string, AttributeValue>): AttributeList {
  let markup = ''
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue
    if (!/^[a-z][a-z0-9:-]*$/i.test(name) || /^(on|style$|srcdoc$)/i.test(name))
      throw new TypeError(`attribute not allowed: ${name}`)
    if (markup !== '') markup += ' '
    markup += value === true ? name : `${name}="${attributeText(name.toLowerCase(), true, String(value))}"`
  }
  return new Attributes(markup)
}

/** Removes characters that change the direction of text: in a name, they would turn the sentence around it, too. */
export const withoutDirections = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')

const NEEDS_ESCAPING = /[&<>"'\u202a-\u202e\u2066-\u2069]/

function escapeHtml(text: string): string {
  // Most values need nothing: one look instead of two replacements.
  if (!NEEDS_ESCAPING.test(text)) return text
  return withoutDirections(text).replace(/[&<>"']/g, (character) => ENTITY[character]!)
}

/** Replaces URLs with other schemes, such as `javascript:`, by `#`. */
export function safeUrl(url: string): string {
  // Browsers ignore these characters in the scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.replace(/[\u0000-\u0020\u007f-\u009f]/g, ''))?.[1]
  return scheme === undefined || SAFE_SCHEMES.has(scheme.toLowerCase()) ? url : '#'
}

function fill(hole: Hole, value: Child): string {
  if (value === null || value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map((child: Child) => fill(hole, child)).join('')
  if (value instanceof Markup) {
    if (hole.place !== 'text') throw new TypeError('markup is not allowed inside a tag')
    return Markup.read(value)
  }
  if (value instanceof Attributes) {
    if (hole.place !== 'tag') throw new TypeError('attributes are only allowed inside a tag')
    return Attributes.read(value)
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') {
    throw new TypeError(`cannot render a ${typeof value}`)
  }
  if (hole.place === 'tag') throw new TypeError('inside a tag, use attrs({…}) or a quoted value')
  return hole.place === 'text' ? escapeHtml(String(value)) : attributeText(hole.attribute, hole.first, String(value))
}

function attributeText(attribute: string, first: boolean, text: string): string {
  return escapeHtml(first && URL_ATTRIBUTES.has(attribute) ? safeUrl(text) : text)
}
