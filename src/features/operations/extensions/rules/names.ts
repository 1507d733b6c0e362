/** Everything that an extension stores or serves begins with its name, so that two extensions, or one and Turnout, never meet. */
export const moduleOf = (name: string): string => `x_${name}`
export const schemaOf = (name: string): string => `x_${name}`
export const flowOf = (name: string, flow: string): string => `x_${name}_${flow}`
export const wordOf = (name: string, key: string): string => `extension.${name}.${key}`
export const sectionOf = (name: string, table: string, column: string): string => `x_${name}_${table}_${column}`
export const pagesBelow = (name: string): string => `/x/${name}/`
export const endpointsBelow = (name: string): string => `/api/x/${name}/`

/** Stored with notifications and choices of people. */
export const kindOf = (name: string, kind: string): string => `x_${name}_${kind}`
/** As typed on the command line. */
export const commandOf = (name: string, command: string): string => `${name}:${command}`

/** Pages that Turnout adds for an extension. */
export const settingsPath = (name: string): string => `/x/${name}/settings/`
export const channelPath = (name: string, channel: string): string => `/x/${name}/channels/${channel}/`
/** Stored with links and choices of people. */
export const channelOf = (name: string, channel: string): `x_${string}` => `x_${name}_${channel}`

const IDENTIFIER = /^[a-z][a-z0-9_]{0,39}$/
export const isIdentifier = (text: string): boolean => IDENTIFIER.test(text)

/** Of the extension itself: shorter, because tables and flows add to it. */
export const isExtensionName = (text: string): boolean => /^[a-z][a-z0-9_]{1,29}$/.test(text)

const SEGMENTS = /^(?:(?:[a-z0-9_-]+|\{[a-z]+\})\/)*$/

export const isPathBelow = (prefix: string, path: string): boolean =>
  path.startsWith(prefix) && SEGMENTS.test(path.slice(prefix.length))
