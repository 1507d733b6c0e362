/** Suggestions of the colour picker, visible on the light and the dark theme. */
export const TYPE_COLOURS = [
  '#c0392b',
  '#b9770e',
  '#1e8449',
  '#0f7c7c',
  '#1d6fb8',
  '#5b5bd6',
  '#8e44ad',
  '#c2387a',
  '#7a5c3e',
  '#5f6b76',
] as const
