/** As it is stored with links, deliveries and choices of people. */
export type ChannelName = `x_${string}`

export type ChannelMessage = {
  title: string
  text: string
  /** Pages with the host of this instance. */
  url: string
  answers: readonly { label: string; url: string }[]
  /** The same when it is sent again. */
  tag: string
}

/** `gone`: the service knows the address no longer, or the person has blocked the sender. `later`: the service is not available. */
export type SendOutcome = 'sent' | 'gone' | 'later'

/** How long a code can be used. */
export const CODE_MINUTES = 30
/** A code with less time left is replaced by a new one. */
export const RENEWED_MINUTES = 10
