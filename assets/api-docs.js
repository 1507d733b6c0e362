// The page of the API documentation: starts Swagger UI and follows the colour scheme of the system.
;(() => {
  const { schema } = document.currentScript.dataset
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  follow()
  dark.addEventListener('change', follow)
  window.SwaggerUIBundle({
    url: schema,
    dom_id: '#swagger-ui',
    deepLinking: true,
    // Swagger UI 5.34 drops headings when more than 128 operations are open at the same time.
    docExpansion: 'none',
    filter: true,
    tryItOutEnabled: false,
    // The validator would send the document to an external server.
    validatorUrl: null,
  })
})()
