// The page of the API's description: starts Swagger UI and follows the light or dark of the system.
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
    docExpansion: 'list',
    tryItOutEnabled: false,
    // It would send the description to a server elsewhere.
    validatorUrl: null,
  })
})()
