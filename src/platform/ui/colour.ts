import { type Html, html } from '#platform/html/html.ts'

// Colours that people choose go into SVG attributes: a style attribute would need a weaker content security policy.
const HEX = /^#[0-9a-f]{6}$/i

/**
 * The colour of an event type: a dot before its name, or with the name in `title`. Edges and backgrounds would look like states,
 * which are red, green and amber.
 */
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
