/** A report of a mail server about one mail (RFC 3464), as Postfix writes it. */
export const bounceMessage = ({
  to,
  status = '5.1.1',
  action = 'failed',
}: {
  to: string
  status?: string
  action?: string
}): string =>
  [
    'Return-Path: <>',
    `Delivered-To: ${to}`,
    'From: MAILER-DAEMON@mail.example (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="B1/mail.example"',
    '',
    '--B1/mail.example',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'I am sorry to have to inform you that your message could not be delivered.',
    '',
    '--B1/mail.example',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.example',
    '',
    'Final-Recipient: rfc822; somebody@there.example',
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; 550 ${status} <somebody@there.example>: Recipient address rejected`,
    '',
    '--B1/mail.example--',
    '',
  ].join('\r\n')
