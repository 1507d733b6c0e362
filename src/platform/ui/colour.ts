import { type Html, html } from '#platform/html/html.ts'

// Colours that people choose go into SVG attributes: a style attribute would need a weaker content security policy.
const HEX = /^#[0-9a-f]{6}$/i

/** A 4 px edge for cards and rows. */
export function edgeView(colour: string | null | undefined): Html {
  return html`<svg class="edge" aria-hidden="true" focusable="false" width="4" height="100%"><rect width="4" height="100%" fill="${safeColour(colour)}"/></svg>`
}

/** A dot for calendars and legends; the name of the type is beside it or in `title`. */
export function dotView(colour: string | null | undefined, title?: string): Html {
  // The ring keeps colours visible that are close to the background.
  const dot = html`<circle cx="6" cy="6" r="5" fill="${safeColour(colour)}" stroke="currentColor" stroke-opacity="0.35"/>`
  return title
    ? html`<svg class="dot" role="img" focusable="false" width="12" height="12" viewBox="0 0 12 12"><title>${title}</title>${dot}</svg>`
    : html`<svg class="dot" aria-hidden="true" focusable="false" width="12" height="12" viewBox="0 0 12 12">${dot}</svg>`
}

function safeColour(colour: string | null | undefined): string {
  return colour && HEX.test(colour) ? colour : 'currentColor'
}
