import MarkdownIt from 'markdown-it'
import { type Html, html, safeUrl, trustedHtml, withoutDirections } from './html.ts'

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable('image')

markdown.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url) && safeUrl(url) === url

/** The level of the first headings of a text: those above it belong to the page. */
type HeadingLevel = 2 | 3

// Headings of a text follow those of the page, and skip no level, whatever their authors wrote.
markdown.core.ruler.push('heading_levels', ({ tokens, env }) => {
  const written: number[] = []
  for (const token of tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close')) {
    const level = Number(token.tag.slice(1))
    if (token.type === 'heading_open') {
      while (written.length > 0 && written.at(-1)! >= level) written.pop()
      written.push(level)
    }
    token.tag = `h${Math.min(Number(env.firstLevel) + written.length - 1, 6)}`
  }
})

markdown.renderer.rules.link_open = (tokens, index, options, _env, self) => {
  const token = tokens[index]!
  // Without an address, the text is no link.
  if (token.attrGet('href')) token.attrSet('rel', 'nofollow noopener')
  else token.attrs = null
  return self.renderToken(tokens, index, options)
}

export function markdownView(text: string, { firstLevel = 3 }: { firstLevel?: HeadingLevel } = {}): Html {
  // markdown-it escapes all text because `html` is off.
  return html`<div class="prose">${trustedHtml(markdown.render(withoutDirections(text), { firstLevel }))}</div>`
}
