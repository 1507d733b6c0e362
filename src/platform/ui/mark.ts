import { type Html, html } from '#platform/html/html.ts'

/** The default logo. Decorative: the name of the site is beside it. */
function markView(size = 28): Html {
  return html`<svg class="mark" width="${size}" height="${size}" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect class="mark-ground" width="32" height="32" rx="8"/><g class="mark-figure"><circle cx="16" cy="9" r="3.25"/><path d="M7 8.5c.6 5.6 3.6 8.2 9 8.2s8.4-2.6 9-8.2" fill="none" stroke-width="3.5" stroke-linecap="round"/><path d="M16 17v8.5" fill="none" stroke-width="3.5" stroke-linecap="round"/></g></svg>`
}

/** The organisation's logo or the default one. Decorative. */
export function logoView(logo: string | undefined, size: number): Html {
  return logo ? html`<img class="logo" src="${logo}" alt="" height="${size}">` : markView(size)
}
