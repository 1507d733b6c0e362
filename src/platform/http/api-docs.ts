import { attrs, type Html, html } from '#platform/html/html.ts'
import { assetUrl } from '#platform/ui/assets.ts'

/** Swagger UI. All files come from this server; the content security policy blocks others. */
export function apiDocsView({ nonce, schemaUrl }: { nonce: string; schemaUrl: string }): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Turnout API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${assetUrl('swagger-ui.css')}">
<link rel="stylesheet" href="${assetUrl('api-docs.css')}">
<link rel="icon" href="${assetUrl('favicon.svg')}" type="image/svg+xml">
<script ${attrs({ nonce, src: assetUrl('swagger-ui.js'), defer: true })}></script>
<script ${attrs({ nonce, src: assetUrl('api-docs.js'), defer: true, 'data-schema': schemaUrl })}></script>
</head>
<body>
<main id="swagger-ui"></main>
<noscript><p>This page needs JavaScript. The description itself does not: <a href="${schemaUrl}">${schemaUrl}</a></p></noscript>
</body>
</html>
`
}
