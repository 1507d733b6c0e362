/** Missing settings and values of the wrong type get the defaults. */
export const completeSettings = <Values extends Record<string, unknown>>(
  stored: Record<string, unknown>,
  defaults: Values,
): Values =>
  Object.fromEntries(
    Object.entries(defaults).map(([name, otherwise]) => [
      name,
      typeof stored[name] === typeof otherwise ? stored[name] : otherwise,
    ]),
  ) as Values
