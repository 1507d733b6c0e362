import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'settings.assistants': 'Assistants',
  'assistant.intro':
    'Connect an assistant that speaks the Model Context Protocol. It sees what you see, as far as you allow. It tries every change first and makes it only after you have confirmed, and the log says that an assistant acted for you.',
  'assistant.address': 'Address',
  'assistant.address_help':
    'Enter it in the settings of the assistant. If it asks you to sign in, an administrator has registered it; otherwise it needs a token from below.',
  'assistant.new_title': 'Token for an assistant',
  'assistant.description': 'Which assistant?',
  'assistant.description_help': 'Helps you recognise it in the list of tokens, where you can end it at any time.',
  'assistant.scopes': 'What may it do?',
  'assistant.scopes_help': 'Choose only what you want to ask it about.',
  'assistant.lifetime': 'How long is it valid?',
  'assistant.submit': 'Create and show token',
  'assistant.made_title': 'Your token for an assistant',
  'assistant.made_once': 'Copy the token now. It is shown only this once.',
  'assistant.made_until': 'Valid until {date}',
  'assistant.command': 'For assistants that start a program',
  'assistant.command_help':
    'Turnout has to be installed on the computer of the assistant. Set the token in the environment variable TURNOUT_TOKEN.',
} as const satisfies Messages
