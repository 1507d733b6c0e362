/** What the service worker shows. `tag`: a message replaces an older one with the same tag. */
export type PushMessage = { title: string; body: string; url: string; tag: string }
