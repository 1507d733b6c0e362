import { html } from '#platform/html/html.ts'
import { assetUrl } from '#platform/ui/assets.ts'

export const planAssets = () => ({
  head: html`<link rel="stylesheet" href="${assetUrl('planning.css')}">`,
  scripts: [assetUrl('planning.js')],
})
