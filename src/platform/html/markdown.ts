import MarkdownIt from 'markdown-it'
import { type Html, html, safeUrl, trustedHtml, withoutDirections } from './html.ts'

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable('image')

markdown.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url) && safeUrl(url) === url

// h1 and h2 belong to the page, so headings in texts start at h3.
for (const rule of ['heading_open', 'heading_close'] as const) {
  markdown.renderer.rules[rule] = (tokens, index, options, _env, self) => {
    const token = tokens[index]!
    if (token.tag === 'h1' || token.tag === 'h2') token.tag = 'h3'
    return self.renderToken(tokens, index, options)
  }
}

markdown.renderer.rules.link_open = (tokens, index, options, _env, self) => {
  const token = tokens[index]!
  // Without an address, the text is no link.
  if (token.attrGet('href')) token.attrSet('rel', 'nofollow noopener')
  else token.attrs = null
  return self.renderToken(tokens, index, options)
}

export function markdownView(text: string): Html {
  // markdown-it escapes all text because `html` is off.
  return html`<div class="prose">${trustedHtml(markdown.render(withoutDirections(text)))}</div>`
}
