import {
  type ConfigData,
  type DOMReadyEvent,
  type DOMTree,
  type HtmlElement,
  HtmlValidate,
  Rule,
  StaticConfigLoader,
  staticResolver,
} from 'html-validate'

const RULES: ConfigData['rules'] = {
  'attr-quotes': ['error', { style: 'any', unquoted: false }],
  'close-order': 'error',
  'element-permitted-content': 'error',
  'element-permitted-occurrences': 'error',
  'element-permitted-order': 'error',
  'element-permitted-parent': 'error',
  'input-missing-label': 'error',
  'no-dup-attr': 'error',
  'no-dup-id': 'error',
  'no-implicit-close': 'error',
  'no-inline-style': 'error',
  'no-raw-characters': 'error',
  'no-self-closing': ['error', { ignoreForeign: true }],
  'no-style-tag': 'error',
  'script-element': 'error',
  'void-content': 'error',
  'wcag/h37': ['error', { allowEmpty: true }],
  'turnout/no-inline-code': 'error',
  'turnout/names': 'error',
  'turnout/references': 'error',
  'turnout/one-h1': 'error',
  'turnout/default-method': 'error',
  'turnout/heading-order': 'error',
  'turnout/standard-attributes': 'error',
}

const isDocument = (document: DOMTree): boolean => document.querySelector('html') !== null
const readAttribute = (element: HtmlElement, name: string): string | undefined => element.getAttributeValue(name) ?? undefined
const isNamed = (element: HtmlElement): boolean => element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby')

/** Reports problems that the rules of html-validate do not cover. */
function ruleOf(check: (document: DOMTree, report: (element: HtmlElement, message: string) => void) => void) {
  return class extends Rule {
    override setup(): void {
      this.on('dom:ready', ({ document }: DOMReadyEvent) => check(document, (element, message) => this.report(element, message)))
    }
  }
}

/** The content security policy blocks inline handlers, script URLs and scripts without a nonce. */
const noInlineCode = ruleOf((document, report) => {
  for (const element of document.querySelectorAll('*')) {
    for (const { key, value } of element.attributes) {
      if (key.toLowerCase().startsWith('on')) report(element, `has ${key}`)
      if (/^(href|src|action|formaction)$/i.test(key) && /^\s*(javascript|vbscript|data):/i.test(String(value)))
        report(element, `${key}=${value}`)
    }
    if (element.is('script') && !readAttribute(element, 'nonce')) report(element, 'without nonce')
  }
})

const names = ruleOf((document, report) => {
  for (const svg of document.querySelectorAll('svg')) {
    const hasAlternative = readAttribute(svg, 'role') === 'img' && isNamed(svg)
    if (readAttribute(svg, 'aria-hidden') !== 'true' && !hasAlternative) report(svg, 'without alternative')
  }
  for (const progress of document.querySelectorAll('progress')) {
    const id = readAttribute(progress, 'id')
    const hasLabel =
      progress.closest('label') !== null || (id !== undefined && document.querySelector(`label[for="${id}"]`) !== null)
    if (!isNamed(progress) && !hasLabel) report(progress, 'without label')
  }
  for (const element of document.querySelectorAll('a, button, summary'))
    if (!isNamed(element) && !element.querySelector('svg[aria-label]') && element.textContent.trim() === '')
      report(element, 'without words')
})

/** Fragments of pages may refer to the rest of the page, so only documents are checked. */
const references = ruleOf((document, report) => {
  if (!isDocument(document)) return
  const ids = new Set(document.querySelectorAll('[id]').map((element) => readAttribute(element, 'id')))
  for (const element of document.querySelectorAll('*')) {
    const href = readAttribute(element, 'href') ?? ''
    const targets = ['for', 'aria-describedby', 'aria-labelledby', 'aria-controls'].flatMap(
      (name) => readAttribute(element, name)?.split(/\s+/) ?? [],
    )
    if (element.is('a') && /^#./.test(href)) targets.push(href.slice(1))
    for (const id of targets) if (!ids.has(id)) report(element, `refers to #${id}, which is not there`)
  }
})

const oneH1 = ruleOf((document, report) => {
  const { length } = document.querySelectorAll('h1')
  if (isDocument(document) && length !== 1) report(document.querySelector('html')!, `${length} h1 elements`)
})

const defaultMethod = ruleOf((document, report) => {
  for (const form of document.querySelectorAll('form'))
    if (readAttribute(form, 'method')?.toLowerCase() === 'get') report(form, 'method="get" is the default; leave it out')
})

/** People who listen to a page jump from heading to heading: a level that is skipped sounds like a missing section. */
const headingOrder = ruleOf((document, report) => {
  if (!isDocument(document)) return
  let level = 0
  for (const heading of document.querySelectorAll('*')) {
    if (!/^h[1-6]$/.test(heading.tagName)) continue
    const next = Number(heading.tagName.slice(1))
    if (next > level + 1) report(heading, `${heading.tagName} follows ${level === 0 ? 'no heading' : `h${level}`}`)
    level = next
  }
})

/**
 * HTML has no attributes of htmx, but any that start with `data-`. Tables have their roles, also if CSS shows them as a list. Browsers know
 * `wrap="off"`, HTML does not.
 */
const standardAttributes = ruleOf((document, report) => {
  for (const element of document.querySelectorAll('*')) {
    for (const { key } of element.attributes) if (key.startsWith('hx-')) report(element, `${key} must be data-${key}`)
    if (readAttribute(element, 'wrap') === 'off') report(element, 'needs CSS instead of wrap="off"')
    if (/^(table|thead|tbody|tfoot|tr|th|td)$/.test(element.tagName) && element.hasAttribute('role'))
      report(element, 'has a role')
  }
})

/** Keeps the configuration, which takes longer to build than most documents take to check. */
class KeptConfigLoader extends StaticConfigLoader {
  #kept: ReturnType<StaticConfigLoader['getConfigFor']> | undefined
  override getConfigFor(...wish: Parameters<StaticConfigLoader['getConfigFor']>) {
    this.#kept ??= super.getConfigFor(...wish)
    return this.#kept
  }
}

const validator = new HtmlValidate(
  new KeptConfigLoader(
    [
      staticResolver({
        plugins: {
          turnout: {
            name: 'turnout',
            rules: {
              'turnout/no-inline-code': noInlineCode,
              'turnout/names': names,
              'turnout/references': references,
              'turnout/one-h1': oneH1,
              'turnout/default-method': defaultMethod,
              'turnout/heading-order': headingOrder,
              'turnout/standard-attributes': standardAttributes,
            },
          },
        },
      }),
    ],
    { root: true, elements: ['html5'], plugins: ['turnout'], rules: RULES },
  ),
)

/** The parser drops the content of an svg: turn its title into an attribute that rules can see. */
const nameSvgs = (markup: string): string => markup.replaceAll(/(<svg\b[^>]*)><title>([^<]+)<\/title>/g, '$1 aria-label="$2">')

/** All problems, one line each. Documents are also checked for one h1 and for links within the page. */
export function checkMarkup(markup: string): string[] {
  return validator
    .validateStringSync(nameSvgs(markup))
    .results.flatMap(({ messages }) => messages)
    .map(({ ruleId, selector, message, line, column }) => `${line}:${column} ${selector ?? ''} ${message} (${ruleId})`)
}
